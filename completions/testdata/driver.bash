# Completes each line of standard input as readline would have bash do it, and
# prints `NUMBER<tab>REPLY` for each reply. Where there is none it prints what bash
# is left to offer: <files>, <directories> or <nothing>.
#
#     bash driver.bash LEFT
set -u
number=0 line='' broken='' rest='' reply='' before=''
COMP_WORDS=() COMP_CWORD=0 COMP_LINE='' COMP_POINT=0 COMPREPLY=()
names() {
	compgen -v
	compgen -A function
}
compopt() {
	case $* in
	*dirnames*) rest='<directories>' ;;
	'+o default +o bashdefault') rest='<nothing>' ;;
	esac
}
before=$'\n'$(names)$'\n'

eval "$(mayi completion bash)"
eval "$(mayi completion bash)"

if [[ ${BASH_COMPLETION-} ]]; then
	source "$BASH_COMPLETION"
	complete -W --shiny mayi-shiny
fi

while IFS= read -r line; do
	broken=${line//=/ = }
	read -r -a COMP_WORDS <<<"${broken//:/ : }"
	[[ $line == *' ' ]] && COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMP_LINE=$line
	COMP_POINT=${#line}
	rest='<files>'
	_mayi mayi "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
	for reply in ${COMPREPLY[@]+"${COMPREPLY[@]}"}; do
		printf '%s\t%s\n' "$number" "$reply"
	done
	((${#COMPREPLY[@]})) || printf '%s\t%s\n' "$number" "$rest"
	number=$((number + 1))
done

# What loading and completing left behind.
for reply in $(names); do
	[[ $before == *$'\n'$reply$'\n'* ]] || printf '%s\n' "$reply"
done >"$1"
