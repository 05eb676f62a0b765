# Completion of bash for mayi. Load it with
#
#     source <(mayi completion bash)
#
# and where bash is older than 4.0, as on macOS, with
#
#     eval "$(mayi completion bash)"
#
# It runs nothing but `mayi list`, and only numbers of what that prints are used.
# The names of commands and files are left to bash and to bash-completion, where
# that is loaded.

# _mayi_words puts the words up to the cursor into words, and the index that each
# has in COMP_WORDS into at. Bash breaks words at = and : too; here they are as
# mayi will see them.
_mayi_words() {
	local line=${COMP_LINE-} blank word i n=-1
	line=${line:0:${COMP_POINT:-${#line}}}
	for ((i = 0; i <= COMP_CWORD; i++)); do
		blank=${line%%[![:space:]]*}
		line=${line#"$blank"}
		word=${COMP_WORDS[i]-}
		if [[ $i == "$COMP_CWORD" && ${COMP_LINE-} ]]; then
			word=$line
		fi
		line=${line#"$word"}
		if [[ $n -ge 0 && ! $blank ]] && [[ $word == [=:]* || ${words[n]} == *[=:] ]]; then
			words[n]=${words[n]}$word
			continue
		fi
		n=$((n + 1))
		words[n]=$word
		at[n]=$i
	done
}

# _mayi_takes_value reports whether a flag of the command takes the next word.
_mayi_takes_value() {
	case $1 in
	config) [[ $command != list ]] ;;
	project) [[ $command != hook ]] ;;
	ask) [[ $command == hook ]] ;;
	rule | db | agent | session) ;;
	permission | p | shell | file | f | timeout | home | pattern | scope | message | since | number | n | alias | action | head) ;;
	*) return 1 ;;
	esac
}

# _mayi_reply offers those of its arguments that begin with what was typed.
_mayi_reply() {
	local word
	for word; do
		if [[ $word == "$cur"* ]]; then
			COMPREPLY[${#COMPREPLY[@]}]=$prefix$word
		fi
	done
}

# _mayi_nothing keeps bash from offering files where none are meant. Before bash
# 4.0 there is no way to.
_mayi_nothing() {
	compopt +o default +o bashdefault 2>/dev/null || :
}

_mayi_commands() {
	_mayi_nothing
	_mayi_reply check ask run approve list revoke trust untrust parse-bash watch log hook session doctor config init guard completion help version
}

_mayi_permissions() {
	_mayi_nothing
	_mayi_reply bash edit read glob grep webfetch external_directory doom_loop
}

# _mayi_flags offers the flags of the command.
_mayi_flags() {
	_mayi_nothing
	_mayi_reply --json --quiet -q --no-color --config --rule --db --agent --session --project
	case $command in
	check) _mayi_reply --permission -p --shell --argv --file -f --verbose -v ;;
	ask | run) _mayi_reply --permission -p --shell --argv --timeout --no-tty ;;
	approve) _mayi_reply --once --always --reject --pattern --scope --message --only --all ;;
	guard) _mayi_reply --shell --alias ;;
	'init alias' | 'init shims') _mayi_reply --shell --remove ;;
	list) _mayi_reply --pending --approved --tools --agents --trusted --everywhere ;;
	revoke) _mayi_reply --all ;;
	parse-bash) _mayi_reply --shell --file -f ;;
	watch) _mayi_reply --since ;;
	log) _mayi_reply --number -n --since --action ;;
	'log verify') _mayi_reply --head ;;
	doctor) _mayi_reply --repair ;;
	hook) _mayi_reply --ask --timeout --home --install --uninstall --print ;;
	esac
}

# _mayi_value offers the values of a flag. Files are offered by bash itself, for
# it knows about quotes and tildes.
_mayi_value() {
	case $1 in
	config | db | file | f) ;;
	project) compopt +o default +o bashdefault -o dirnames 2>/dev/null || : ;;
	permission | p) _mayi_permissions ;;
	ask)
		_mayi_nothing
		_mayi_reply native deny wait
		;;
	scope)
		_mayi_nothing
		_mayi_reply project session global
		;;
	shell)
		_mayi_nothing
		if [[ $command == init* ]]; then
			_mayi_reply bash zsh fish
		else
			_mayi_reply bash posix mksh zsh bats fish
		fi
		;;
	agent) _mayi_agents ;;
	action)
		_mayi_nothing
		_mayi_reply allow deny ask once always rejected corrected expired withdrawn refused error
		;;
	*) _mayi_nothing ;;
	esac
}

# _mayi_remember keeps the value of a flag that says what is listed. A variable or
# a substitution in it is left as it stands, so that nothing is found.
_mayi_remember() {
	local value=$2
	case $1 in
	permission | p) permission=$value ;;
	db | project | session)
		case $value in
		\"*\" | \'*\') value=${value:1:${#value}-2} ;;
		'~/'*) value=${HOME-}/${value:2} ;;
		esac
		value=${value//\\/}
		place[${#place[@]}]=--$1=$value
		;;
	esac
}

# _mayi_ids offers the IDs in a list that are not on the line yet.
_mayi_ids() {
	local row id list
	_mayi_nothing
	compopt -o nosort 2>/dev/null || : # since bash 4.4
	list=$(command mayi list "$1" --json ${place[@]+"${place[@]}"} </dev/null 2>/dev/null) || :
	while IFS= read -r row; do
		# A quote inside a string is escaped: this is the name of a field.
		id=${row#*[\{,]\"id\":}
		if [[ $id == "$row" ]]; then
			continue
		fi
		id=${id%%[!0-9]*}
		if [[ $id && " $operands " != *" $id "* ]]; then
			_mayi_reply "$id"
		fi
	done <<<"$list"
}

# _mayi_agents offers the agents that config defines.
_mayi_agents() {
	local row name list
	_mayi_nothing
	list=$(command mayi list --agents --json ${place[@]+"${place[@]}"} </dev/null 2>/dev/null) || :
	while IFS= read -r row; do
		name=${row#'{"name":"'}
		name=${name%'"}'}
		if [[ $name && $name != *[!A-Za-z0-9_.-]* ]]; then
			_mayi_reply "$name"
		fi
	done <<<"$list"
}

# _mayi_command_line completes the command that begins at an index of COMP_WORDS.
_mayi_command_line() {
	local word
	if [[ $permission != bash ]]; then
		return # the operands are paths, if anything
	fi
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$1"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif [[ $1 == "$COMP_CWORD" && $cur != *[/~]* ]]; then
		while IFS= read -r word; do
			if [[ $word ]]; then
				COMPREPLY[${#COMPREPLY[@]}]=$word
			fi
		done <<<"$(compgen -c -- "$cur")"
	fi
}

# _mayi_operand completes what is no flag.
_mayi_operand() {
	case $command in
	'') _mayi_commands ;;
	check | ask | run) _mayi_command_line "${at[first]}" ;;
	approve) _mayi_ids --pending ;;
	revoke) _mayi_ids --approved ;;
	trust | untrust)
		_mayi_nothing
		[[ $operands ]] || compopt -o dirnames 2>/dev/null || :
		;;
	list) _mayi_permissions ;;
	'config check') ;;
	config)
		_mayi_nothing
		_mayi_reply check show path
		;;
	log)
		_mayi_nothing
		_mayi_reply verify show
		;;
	hook)
		_mayi_nothing
		[[ $operands ]] || _mayi_reply amp antigravity claude cline codex copilot crush cursor droid gemini goose kimi kiro opencode qwen vscode windsurf
		;;
	'init alias') ;;
	'init shims')
		if [[ ! $operands ]]; then
			compopt +o default +o bashdefault -o dirnames 2>/dev/null || :
		fi
		;;
	'init '*) _mayi_nothing ;;
	init)
		_mayi_nothing
		_mayi_reply bash zsh fish alias shims bash-env zshenv
		;;
	completion)
		_mayi_nothing
		[[ $operands ]] || _mayi_reply bash zsh fish
		;;
	help)
		_mayi_nothing
		[[ $operands ]] || _mayi_commands
		;;
	*) _mayi_nothing ;;
	esac
}

_mayi() {
	local -a words at place
	local command='' operands='' permission=bash prefix=''
	local cur word flag first='' ended='' i last
	COMPREPLY=()
	place=()
	_mayi_words
	last=$((${#words[@]} - 1))
	cur=${words[last]}
	for ((i = 1; i < last; i++)); do
		word=${words[i]}
		if [[ ! $ended && $word == -- ]]; then
			ended=1
		elif [[ ! $ended && $word == -?* ]]; then
			flag=${word#-}
			flag=${flag#-}
			if [[ $flag == *=* ]]; then
				_mayi_remember "${flag%%=*}" "${flag#*=}"
			elif _mayi_takes_value "$flag"; then
				i=$((i + 1))
				if ((i == last)); then
					_mayi_value "$flag"
					return 0
				fi
				_mayi_remember "$flag" "${words[i]}"
			fi
		elif [[ ! $command ]]; then
			command=$word
			ended=''
		elif [[ $command == config || $command == init || $command == log ]]; then
			command="$command $word"
		else
			operands="$operands $word"
			first=${first:-$i}
			case $command in
			check | ask | run | parse-bash | guard) break ;; # what follows is no flag of mayi
			esac
		fi
	done
	case $command in
	check | ask | run | parse-bash | guard) ended=$ended$first ;;
	esac
	first=${first:-$last}
	if [[ $ended || $cur != -* ]]; then
		_mayi_operand
	elif [[ $cur == -*=* ]]; then
		flag=${cur%%=*}
		flag=${flag#-}
		flag=${flag#-}
		[[ ${COMP_WORDBREAKS-=} == *=* ]] || prefix=${cur%%=*}=
		cur=${cur#*=}
		_mayi_value "$flag"
	else
		_mayi_flags
	fi
	return 0
}

complete -o bashdefault -o default -F _mayi mayi
