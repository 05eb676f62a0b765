# The guard on Enter for zsh: eval "$(mayi init zsh)".
#
# preexec runs once for each command that was read whole, before anything of it
# is expanded, redirected or run, and is given it with aliases expanded. The error
# of ${x:?} inside it is one that zsh does not go on from: it drops the command. No
# widget and no key is touched.
#
# This is read with aliases off and runs with the options of a plain zsh, whatever
# the user has set.

# The program is named by its path and the error is one of expansion, so that no
# function of the user's can take the place of either.
_mayi_preexec() {
	_mayi_told=
	_mayi_tell "$3"
	MAYI_TOLD=$_mayi_told @MAYI@ guard --shell zsh -- "$3" </dev/null >&2 || {
		case $? in
		([1-4]|6[45]|7[0458]|130) ;;
		(*) builtin print -ru2 -- "mayi: not run: the guard failed" ;;
		esac
		{ : ${${:-}:?} } 2>/dev/null
	}
}

# What the variables of the command hold now, so that nobody is asked what they
# might be: in the environment, where no other user sees it. Only plain ones; a
# function that is called in the command may set any of them.
_mayi_tell() {
	_mayi_told=
	[[ $#1 -lt 4096 && $IFS == $' \t\n\0' ]] || return 0
	local _mayi_rest=$1 _mayi_name _mayi_values= _mayi_n=0
	while [[ $_mayi_rest == *\$* ]] && (( _mayi_n++ < 60 && $#_mayi_values < 30000 )); do
		_mayi_rest=${${_mayi_rest#*\$}#\{}
		_mayi_name=${_mayi_rest%%[^a-zA-Z0-9_]*}
		if [[ $_mayi_name == [a-zA-Z_]* && $_mayi_name != _mayi_* && ${(Pt)_mayi_name} == scalar(-readonly|)(-export|) && ${(P)_mayi_name} != *[$'\n\0']* ]] && (( ${#${(P)_mayi_name}} < 4096 )); then
			_mayi_values+="$_mayi_name=${(P)_mayi_name}"$'\n'
		fi
	done
	[[ -n $_mayi_values ]] || return 0
	for _mayi_name in ${(Qz)1}; do
		if (( ${+functions[$_mayi_name]} )); then
			_mayi_values+="$_mayi_name()"$'\n'
		fi
	done
	_mayi_told=$_mayi_values
}

# Before every prompt: what another tool took away is put back, in front of the
# others, for those behind it do not run for what is refused.
_mayi_precmd() {
	if [[ ${preexec_functions[1]-} != _mayi_preexec ]]; then
		if [[ -n $_mayi_shown ]] && (( ! ${preexec_functions[(Ie)_mayi_preexec]:-0} )); then
			builtin print -ru2 -- 'mayi: something had removed the guard from preexec_functions; it is back'
		fi
		preexec_functions=(_mayi_preexec ${preexec_functions:#_mayi_preexec})
	fi
	if (( ! ${+functions[_mayi_preexec]} )); then
		builtin print -ru2 -- 'mayi: the function of the guard is gone: eval "$(mayi init zsh)" puts it back'
	fi
	_mayi_shown=1
}

typeset -ga preexec_functions precmd_functions
typeset -g _mayi_shown= _mayi_told=
preexec_functions=(_mayi_preexec ${preexec_functions:#_mayi_preexec})
precmd_functions=(${precmd_functions:#_mayi_precmd} _mayi_precmd)
