# The guard on Enter for bash: eval "$(mayi init bash)".
#
# Bash expands PS0 once a whole command has been read, before anything of it is
# expanded, redirected or run. There the command is taken from the history and
# judged; a refused one is thrown away by an interrupt, and should that not
# happen, by an error in the same expansion. No key is bound for it and no trap
# is set. Where both the prompt hook and promptvars are taken away PS0 is no longer
# expanded, and nothing here is called.
#
# This is read with aliases off and only in an interactive bash of 4.4 or later.

__mayi_nul= __mayi_verdict= __mayi_drop=0 __mayi_shown= __mayi_off=
__mayi_allowed=([0]='') # every other verdict than 0 is none
: "${__mayi_control=}" "${__mayi_ignore=}" "${__mayi_left=-}"

# An assignment inside $(( )) is how PS0 hands something to the shell itself;
# ${nul:0:0} prints nothing. A function that is missing, or prints anything but a
# number, is an error there, and the command is dropped.
__mayi_piece='${__mayi_nul:$((__mayi_verdict=$(__mayi_judge))):0}${__mayi_allowed[__mayi_verdict]-${__mayi_nul:$(($(__mayi_stop))):0}}'

# __mayi_judge prints 0 for a command that may run, 1 for any other, and behind a
# comma which entry of the history to drop. It runs in a subshell. In POSIX mode,
# which an assignment turns on, unset is found before any function of that name,
# so that no function of the user's can answer in the place of a builtin.
__mayi_judge() {
	POSIXLY_CORRECT=1
	\unset -f unset builtin command declare history printf shopt trap
	HISTTIMEFORMAT=
	__mayi_line=$(history 1)
	__mayi_line=${__mayi_line#"${__mayi_line%%[![:space:]]*}"}
	__mayi_number=${__mayi_line%%[!0-9]*}
	__mayi_line=${__mayi_line#"$__mayi_number"}
	__mayi_line=${__mayi_line:2} # behind the number a blank, or an asterisk, and a blank
	if [[ ! -o history || $__mayi_off || ! $__mayi_number ]]; then
		printf 'mayi: not run: the history is off, and the guard reads the command there (Ctrl-D ends this shell)\n' >&2
		printf 1
		return
	fi
	# Without cmdhist the last entry is the last line of a command, and no more.
	if [[ :${BASHOPTS-}: != *:cmdhist:* ]]; then
		printf 'mayi: not run: cmdhist is off, the guard would see only the last line, and its prompt hook, which turns it on, is gone (Ctrl-D ends this shell)\n' >&2
		printf 1
		return
	fi
	# The prompt hook keeps these from hiding a command. Set to what hides nothing,
	# they are no obstacle to the next one.
	if [[ :${HISTCONTROL-}: == *:ignore@(space|both):* || ${HISTIGNORE-0} != @(|0) ]]; then
		printf 'mayi: not run: HISTCONTROL or HISTIGNORE may have hidden the command; the guard has cleared both\n' >&2
		printf '1+0*(HISTCONTROL=HISTIGNORE=0)'
		return
	fi
	# Behind this no line could be read any more, nor one that takes it back.
	__mayi_name='(^|[;&|{(]|[[:space:]])set[[:space:]]+\+o[[:space:]]+history([[:space:];&|)]|$)'
	if [[ $__mayi_line =~ $__mayi_name ]]; then
		printf 'mayi: not run: the guard reads the command in the history (with HISTCONTROL=ignorespace a blank in front keeps a line out of it)\n' >&2
		printf 1
		return
	fi
	if [[ $__mayi_hooked && ${PROMPT_COMMAND[*]-} != *__mayi_prompt* ]]; then
		printf 'mayi: the guard is no longer in PROMPT_COMMAND: eval "$(mayi init bash)" puts it back\n' >&2
	fi

	# The aliases that the command may use, and those that these may use.
	__mayi_text=$__mayi_line __mayi_more=1 __mayi_args=() __mayi_names=("${!BASH_ALIASES[@]}")
	while [[ $__mayi_more ]]; do
		__mayi_more=
		for __mayi_name in "${!__mayi_names[@]}"; do
			__mayi_alias=${__mayi_names[__mayi_name]}
			if [[ $__mayi_text == *"$__mayi_alias"* ]]; then
				__mayi_args+=(--alias "$__mayi_alias=${BASH_ALIASES[$__mayi_alias]}")
				__mayi_text+=" ${BASH_ALIASES[$__mayi_alias]}" __mayi_more=1
				unset "__mayi_names[$__mayi_name]"
			fi
		done
	done

	# What the variables of the command hold now, so that nobody is asked what they
	# might be: in the environment, where no other user sees it. Only plain ones, and
	# only where words split and expand as they usually do. A function that is called
	# in the command may set any of them.
	__mayi_told= __mayi_rest=$__mayi_text __mayi_seen=:
	__mayi_name='\$\{?([a-zA-Z_][a-zA-Z_0-9]*)(.*)'
	if [[ $- != *f* && ${IFS-$' \t\n'} == $' \t\n' && ${#__mayi_text} -lt 4096 ]]; then
		while ((${#__mayi_told} < 30000)) && [[ $__mayi_rest =~ $__mayi_name ]]; do
			__mayi_alias=${BASH_REMATCH[1]} __mayi_rest=${BASH_REMATCH[2]}
			if [[ $__mayi_seen != *":$__mayi_alias:"* && $__mayi_alias != __mayi* && ! -R $__mayi_alias ]]; then
				__mayi_seen+=$__mayi_alias:
				__mayi_is=__mayi_none
				[[ ${!__mayi_alias+x} ]] && __mayi_is=$(declare -p "$__mayi_alias" 2>/dev/null)
				if [[ $__mayi_is == 'declare -'@(-|r|x|rx)" $__mayi_alias="* && ${!__mayi_alias} != *$'\n'* && ${#__mayi_is} -lt 4096 ]]; then
					__mayi_told+=$__mayi_alias=${!__mayi_alias}$'\n'
				fi
			fi
		done
	fi
	if [[ $__mayi_told ]]; then
		__mayi_name='([^][:space:];&|(){}<>"'"'"'$`\\]+)(.*)' __mayi_rest=$__mayi_text
		while [[ $__mayi_rest =~ $__mayi_name ]]; do
			__mayi_alias=${BASH_REMATCH[1]} __mayi_rest=${BASH_REMATCH[2]}
			if declare -F -- "$__mayi_alias" >/dev/null 2>&1; then
				__mayi_told+=$__mayi_alias'()'$'\n'
			fi
		done
	fi

	MAYI_TOLD=$__mayi_told @MAYI@ guard --shell bash "${__mayi_args[@]}" -- "$__mayi_line" </dev/null >&2
	__mayi_status=$?
	case $__mayi_status in
	0) printf 0 ;;
	[1-4] | 6[45] | 7[0458] | 130) printf 1 ;;
	*)
		printf 'mayi: not run: the guard failed (%s)\n' "$__mayi_status" >&2
		printf 1
		;;
	esac
	if [[ :$__mayi_control: == *:ignore@(space|both):* && $__mayi_line == [[:blank:]]* ]]; then
		printf '+0*(__mayi_drop=%s)' "$__mayi_number"
		return
	fi
	IFS=:
	set -f
	for __mayi_name in $__mayi_ignore; do
		if [[ $__mayi_line == $__mayi_name ]]; then
			printf '+0*(__mayi_drop=%s)' "$__mayi_number"
			return
		fi
	done
}

# __mayi_stop interrupts the shell. Where a trap would swallow that it prints what
# is an error in an expression, as printing nothing is, too.
__mayi_stop() {
	POSIXLY_CORRECT=1
	\unset -f unset builtin command kill printf trap
	# In POSIX mode the default action is spelled out.
	if [[ $(trap -p INT) != @(|trap -- - *) ]] || ! { builtin kill -s INT $$ || /bin/kill -s INT $$; } 2>/dev/null; then
		printf 'mayi: INT is trapped here, so the command is thrown away by an error, which bash reports:\n' >&2
		printf 1/0
	else
		printf 0
	fi
}

# __mayi_prompt runs before every prompt. It puts back what another tool took
# away, and does what HISTCONTROL and HISTIGNORE would have done, had they not
# been kept from hiding commands.
__mayi_prompt() {
	local status=$?
	if [[ $__mayi_drop != 0 ]]; then
		history -d "$__mayi_drop" 2>/dev/null || :
		__mayi_drop=0
	fi
	if [[ ${HISTCONTROL-} != "$__mayi_left" ]]; then
		__mayi_control=${HISTCONTROL-} HISTCONTROL=:${HISTCONTROL-}:
		while [[ $HISTCONTROL == *:ignore@(space|both):* ]]; do
			HISTCONTROL=${HISTCONTROL/:ignorespace:/:}
			HISTCONTROL=${HISTCONTROL/:ignoreboth:/:ignoredups:}
		done
		HISTCONTROL=${HISTCONTROL#:}
		HISTCONTROL=${HISTCONTROL%:}
		__mayi_left=$HISTCONTROL
	fi
	if [[ ${HISTIGNORE-} ]]; then
		__mayi_ignore=$HISTIGNORE HISTIGNORE=
	fi
	shopt -s promptvars cmdhist
	if [[ ${HISTSIZE-} == *0* && $HISTSIZE != *[!0[:space:]+]* ]]; then
		printf 'mayi: the guard reads the command in the history: HISTSIZE is 500\n' >&2
		HISTSIZE=500
	fi
	# Bash records nothing again if this is put back from here, whatever it says.
	[[ -o history ]] || __mayi_off=1
	if [[ ${PS0-} != *"$__mayi_piece"* ]]; then
		if [[ $__mayi_shown ]]; then
			printf 'mayi: something had removed the guard from PS0; it is back\n' >&2
		fi
		PS0=$__mayi_piece${PS0-}
	fi
	__mayi_shown=1
	[[ $- == *e* ]] || return "$status" # which would end the shell
}

# __mayi_edit takes the place of what would run a text straight from an editor,
# past PS0: the text comes back to the line, and Enter runs it.
__mayi_edit() {
	local file
	file=$(mktemp "${TMPDIR:-/tmp}/mayi.XXXXXX") || return
	printf '%s\n' "$READLINE_LINE" >|"$file"
	if ${VISUAL:-${EDITOR:-vi}} "$file" </dev/tty >/dev/tty; then
		# Behind $(<file) bash 5.2 reads the line wrongly: seen to run its first word.
		READLINE_LINE=$(command cat "$file") READLINE_POINT=${#READLINE_LINE}
	fi
	command rm -f "$file"
}

if [[ -o emacs || -o vi ]]; then
	bind -m emacs-standard -x '"\C-x\C-e": __mayi_edit'
	bind -m vi-command -x '"v": __mayi_edit'
fi

__mayi_hooked=1
if [[ ${PROMPT_COMMAND[*]-} != *__mayi_prompt* ]]; then
	case $(declare -p PROMPT_COMMAND 2>/dev/null || :) in
	'declare -'*r*' PROMPT_COMMAND'*) __mayi_hooked= ;;
	'declare -a'*) PROMPT_COMMAND=(__mayi_prompt "${PROMPT_COMMAND[@]}") ;;
	*) PROMPT_COMMAND=__mayi_prompt${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND} ;;
	esac
fi
__mayi_prompt || :
__mayi_shown= __mayi_off=
