# Read by an interactive zsh. Control-T completes each line of the file $CASES and
# writes `NUMBER<tab>REPLY` for each match to $REPLIES.
PS1='ready> ' LISTMAX=0
setopt nobeep nounset
autoload -Uz compinit

if [[ $LOAD == fpath ]]; then
	fpath=($FUNCTIONS $fpath)
	compinit -C -D
else
	compinit -C -D
	before=()
	before=(${(k)functions} ${(k)parameters})
	source <(mayi completion zsh)
	source <(mayi completion zsh)
	# What loading left behind.
	print -rl -- ${${(k)functions}:|before} ${${(k)parameters}:|before} >$LEFT
fi
_mayi_shiny() { compadd -- --shiny }
compdef _mayi_shiny mayi-shiny

# A match is what compadd is given and what fits; with -A, -D or -O it is asked
# which would.
capture() {
	compadd() {
		local -a found
		if [[ -z ${(M)@[1,(i)(-|--)]:#-[AOD]*} ]]; then
			builtin compadd -O found "$@"
			replies+=("${(@)found}")
		fi
		builtin compadd "$@"
	}
	_main_complete
	unfunction compadd
	compstate[insert]= compstate[list]=
}
zle -C capture complete-word capture

try() {
	local line reply
	local -a replies
	local -i number=0
	for line in "${(@f)$(<$CASES)}"; do
		BUFFER=$line CURSOR=$#line replies=()
		zle capture
		for reply in "${(@)replies}"; do
			print -r -- $number$'\t'$reply
		done
		number+=1
	done >$REPLIES
	BUFFER=
	zle -M 'tried them all'
}
zle -N try
bindkey '^T' try

# Control-P prints the line and drops it.
look() {
	zle -I
	print -r -- "<<$BUFFER>>"
	BUFFER=
}
zle -N look
bindkey '^P' look
