#compdef mayi

# Completion of zsh for mayi. Keep it as a file named _mayi in a directory of
# $fpath, or load it behind compinit with
#
#     source <(mayi completion zsh)
#
# It runs nothing but `mayi list`, and shows what that prints without anything a
# terminal would obey. The names of commands and files are left to zsh.

# _mayi_visible puts the beginning of a text into REPLY with a question mark for
# each character that would not show as itself. Where the locale is not UTF-8
# that is every one beyond ASCII.
_mayi_visible() {
	local text=$1 wide=$'\xc3\xa9' hidden # two bytes, one character where the locale is UTF-8
	if (( ${#wide} == 1 )); then
		# Soft hyphen, joiners, marks of direction, invisible operators, variation
		# selectors, tags, and letters that are blank. They are spelled as bytes,
		# for \u is an error where the locale cannot express it.
		hidden=$'[\xc2\x80-\xc2\x9f\xc2\xad\xcd\x8f\xd8\x9c\xe1\x85\x9f\xe1\x85\xa0\xe1\x9e\xb4\xe1\x9e\xb5\xe1\xa0\x8b-\xe1\xa0\x8f'
		hidden+=$'\xe2\x80\x8b-\xe2\x80\x8f\xe2\x80\xa8-\xe2\x80\xae\xe2\x81\xa0-\xe2\x81\xaf\xe2\xa0\x80\xe3\x85\xa4'
		hidden+=$'\xee\x80\x80-\xef\xa3\xbf\xef\xb8\x80-\xef\xb8\x8f\xef\xbb\xbf\xef\xbe\xa0\xef\xbf\xb0-\xef\xbf\xbd\xf3\xa0\x80\x80-\xf4\x8f\xbf\xbf]'
		text=${text//${~hidden}/?}
		REPLY=${text//[^[:print:]]/?}
	else
		REPLY=${text//[^ -~]/?}
	fi
}

# _mayi_field puts a string of a JSON object into REPLY, as it is to be shown. A
# quote inside a string is escaped, so that what looks like the name of a field
# is one; a control character is spelled out, and is left so.
_mayi_field() {
	local row=$1 value=${1#*[\{,]\"$2\":\"}
	REPLY=
	[[ $value == $row ]] && return
	value=${value[1,400]}
	value=${value//\\\\/$'\x01'}
	value=${value//\\\"/$'\x02'}
	value=${value%%\"*}
	value=${value//$'\x01'/\\}
	_mayi_visible ${value//$'\x02'/\"}
}

# _mayi_ids offers the IDs in a list that are not on the line yet:
# _mayi_ids --pending|--approved DESCRIPTION FIELD…
_mayi_ids() {
	local list=$1 what=$2 row id text name REPLY
	local -a rows before offered
	shift 2
	before=("${(@)line:#$words[CURRENT]}")
	rows=("${(@f)$(command mayi list $list --json "${(@)place}" 2>/dev/null </dev/null)}")
	for row in "${(@)rows}"; do
		id=${row#*[\{,]\"id\":}
		[[ $id == $row ]] && continue
		id=${id%%[^0-9]*}
		[[ -z $id ]] || (( ${before[(Ie)$id]} )) && continue
		text=
		for name; do
			_mayi_field $row $name
			text+=${text:+: }$REPLY
		done
		offered+=("$id:${text//\\/\\\\}")
	done
	_describe -V -t ${list#--} $what offered
}

_mayi_commands() {
	local -a commands
	commands=(
		'check:decide; never asks, waits or writes'
		'ask:decide, asking a person if need be'
		'run:ask, then become the command'
		'approve:answer requests that wait'
		'list:show rules and approvals in the order in which they count, or what waits'
		'revoke:take approvals back'
		'trust:let the .mayi.jsonc of a project allow things, after a look at it'
		'untrust:let the .mayi.jsonc of a project only deny and ask again'
		'parse-bash:show what a line would run'
		'watch:print requests and answers as they come'
		'log:show the decisions that were given, the newest last'
		'hook:judge what an AI agent is about to do, in its own way; or install that'
		'session:start an agent as a session of its own, so that it cannot approve itself'
		'doctor:look whether what is installed does what it should'
		'config:check, show and find the config'
		'init:print code for a shell: the guard on Enter, or wrappers for chosen commands'
		'guard:decide about a line that a person typed, as the hook of mayi init does at Enter'
		'completion:print the completion of a shell, to be read by it'
		'help:explain a command'
		'version:print the version'
	)
	_describe -t commands 'command of mayi' commands
}

_mayi_permissions() {
	local -a permissions
	permissions=(bash edit read glob grep webfetch external_directory doom_loop)
	_describe -t permissions permission permissions
}

# _mayi_agents offers the agents that config defines.
_mayi_agents() {
	local row
	local -a agents
	for row in "${(@f)$(command mayi list --agents --json "${(@)place}" 2>/dev/null </dev/null)}"; do
		row=${${row#'{"name":"'}%'"}'}
		[[ -n $row && $row != *[^a-zA-Z0-9_.-]* ]] && agents+=($row)
	done
	_describe -t agents agent agents
}

# _mayi_command_line completes what is judged: a command, or the paths and such
# of another permission.
_mayi_command_line() {
	local permission=${opt_args[-p]:-${opt_args[--permission]:-bash}}
	if [[ $words[1] == -- ]]; then
		shift words
		(( CURRENT-- ))
	fi
	if [[ $permission != bash ]]; then
		_files
	elif (( CURRENT > 1 )) || [[ $PREFIX != -* ]]; then
		_normal
	fi
}

# _mayi_remember keeps the flags that say what is listed, among those that were
# just parsed. A variable or a substitution in one is left as it stands, so that
# nothing is found.
_mayi_remember() {
	local name value
	for name in --db --project --session; do
		value=${opt_args[$name]-}
		[[ -z $value ]] && continue
		value=${${value//\\:/:}//\\\\/\\}
		value=${(Q)value}
		[[ $value == '~/'* ]] && value=$HOME${value#'~'}
		place+=("$name=$value")
	done
}

_mayi() {
	local curcontext=$curcontext state state_descr line ret=1
	local -A opt_args
	local -a global flags project place
	global=(
		'--json[print JSON]'
		'(-q --quiet)'{-q,--quiet}'[print nothing but errors]'
		'--no-color[no colours]'
		'*--rule=[one more rule behind everything, such as bash\:git *=allow]:rule: '
		'--db=[the database]:database:_files'
		'--agent=[judge by the rules of an agent]:name of an agent:_mayi_agents'
		'--session=[the session that asks]:ID of a session: '
	)
	flags=('*--config=[one more config, behind the others]:config:_files')
	project=('--project=[the project]:directory of a project:_directories')
	_arguments -C -S $global $project $flags '(-):command of mayi:_mayi_commands' '(-)*:: :->arguments' && ret=0
	[[ $state == arguments ]] || return ret
	_mayi_remember

	local command=$words[1]
	curcontext=${curcontext%:*:*}:mayi-$command:
	[[ $command == list ]] && flags=()
	[[ $command == hook ]] && project=('--project[with these\: the settings of this project]')
	case $command in
		check|ask|run)
			flags+=(
				'(-p --permission)'{-p,--permission=}'[what is asked for]:permission:_mayi_permissions'
				'--shell=[the shell the line is for]:shell:(bash posix mksh zsh bats fish)'
				'--argv[the arguments are the words of one command, even a single one]'
			)
			;|
		check)
			flags+=(
				'(-f --file)'{-f,--file=}'[judge a script]:script:_files'
				'(-v --verbose)'{-v,--verbose}'[explain the verdict]'
			)
			;;
		ask|run)
			flags+=(
				'--timeout=[how long to wait for an answer; 0 does not wait]:duration, such as 30s: '
				'--no-tty[do not ask at this terminal, wait for another]'
			)
			;;
		approve)
			flags+=(
				'(--always --reject)--once[allow this once]'
				'(--once --reject)--always[allow, and store it]'
				'(--once --always)--reject[reject, and with it what else the session asks]'
				'*--pattern=[with --always\: what to store, for the parts it covers]:[PERMISSION\:]PATTERN: '
				'--scope=[with --always\: where it holds]:scope:(project session global)'
				'--message=[with --reject\: what to do instead]:text: '
				"--only[with --reject\: leave the session's other requests waiting]"
				'--all[every request that waits now]'
			)
			;;
		list)
			flags+=(
				'--pending[the requests that wait for an answer]'
				'--approved[the approvals alone]'
				'--config[the rules of the config alone]'
				'--tools[which tools are switched off]'
				'--agents[the agents that --agent may name]'
				'--trusted[the projects whose .mayi.jsonc may allow things]'
				'--everywhere[with --approved\: of every project and session]'
			)
			;;
		guard)
			flags+=(
				'--shell=[the shell the line is for]:shell:(bash posix mksh zsh bats fish)'
				'*--alias=[an alias of that shell]:NAME=VALUE: '
			)
			;;
		init)
			case ${words[2]-} in
				alias|shims)
					flags+=('--shell=[the shell that reads it]:shell:(bash zsh fish)' '--remove[take it away again]')
					;;
			esac
			;;
		revoke)
			flags+=('--all[every approval that holds in this project and session]')
			;;
		parse-bash)
			flags+=(
				'--shell=[the shell the line is for]:shell:(bash posix mksh zsh bats fish)'
				'(-f --file)'{-f,--file=}'[read a script]:script:_files'
			)
			;;
		watch)
			flags+=('--since=[first those after an event; 0 for all]:ID of an event: ')
			;;
		hook)
			flags+=(
				'--ask=[who is asked]:who is asked:(native deny wait)'
				'--timeout=[with --ask=wait\: how long to wait for an answer]:duration, such as 30s: '
				'--home=[the home directory below which config and database are]:directory:_directories'
				'(--uninstall --print)--install[put this hook into the settings of the agent]'
				'(--install --print)--uninstall[take it out again]'
				'(--install --uninstall)--print[show what an install would write]'
			)
			;;
		log)
			case ${words[2]-} in
				verify) flags+=('--head=[a hash that this printed before must still be in the chain]:hash: ') ;;
				show) ;;
				*)
					flags+=(
						'(-n --number)'{-n,--number=}'[how many; 0 for all]:number: '
						"--since=[those after a time]:time, such as 2h, 3d or 2026-01-31: "
						'*--action=[those that ended in an outcome]:outcome:(allow deny ask once always rejected corrected expired withdrawn refused error)'
					)
					;;
			esac
			;;
		doctor)
			flags+=('--repair[at a terminal\: put right what can be, asking first]')
			;;
	esac
	case $command in
		check|ask|run) flags+=('(-)*:: :_mayi_command_line') ;;
		parse-bash) flags+=('(-): :_message "line of shell"') ;;
		approve|revoke) flags+=('*: :->ids') ;;
		list) flags+=('*: :_mayi_permissions') ;;
		trust|untrust) flags+=(':directory of a project:_files -/') ;;
		config) flags+=(': :(check show path)' '*: :->files') ;;
		log) flags+=(': :(verify show)') ;;
		hook) flags+=(':agent:(amp antigravity claude cline codex copilot crush cursor droid gemini goose kimi kiro opencode qwen vscode windsurf)') ;;
		guard) flags+=('(-): :_message "line of shell"') ;;
		init) flags+=(': :(bash zsh fish alias shims bash-env zshenv)' '*: :->wrapped') ;;
		completion) flags+=(':shell:(bash zsh fish)') ;;
		help) flags+=(':command of mayi:_mayi_commands') ;;
	esac
	state=
	_arguments -C -S $global $project $flags && ret=0
	case $state in
		ids)
			_mayi_remember
			if [[ $command == approve ]]; then
				_mayi_ids --pending 'request that waits' line && ret=0
			else
				_mayi_ids --approved approval permission pattern && ret=0
			fi
			;;
		wrapped)
			case $line[1] in
				alias) _command_names -e && ret=0 ;;
				shims)
					if (( ${#line} > 2 )); then
						_command_names -e && ret=0
					else
						_directories && ret=0
					fi
					;;
			esac
			;;
		files)
			[[ $line[1] == check ]] && _files && ret=0
			;;
	esac
	return ret
}

# As a file in $fpath this is the body of _mayi, run by its first call.
if [[ ${funcstack[1]-} == _mayi ]]; then
	_mayi "$@"
elif (( ${+functions[compdef]} )); then
	compdef _mayi mayi
fi
