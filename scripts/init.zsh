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
	@MAYI@ guard --shell zsh -- "$3" </dev/null >&2 || {
		case $? in
		([1-4]|6[45]|7[0458]|130) ;;
		(*) builtin print -ru2 -- "mayi: not run: the guard failed" ;;
		esac
		{ : ${${:-}:?} } 2>/dev/null
	}
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
typeset -g _mayi_shown=
preexec_functions=(_mayi_preexec ${preexec_functions:#_mayi_preexec})
precmd_functions=(${precmd_functions:#_mayi_precmd} _mayi_precmd)
