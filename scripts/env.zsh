# For .zshenv: the text of zsh -c is judged once, before anything of it runs. A
# second line of defence only: zsh -f reads no such file, nor does one that is
# called sh or told of another ZDOTDIR; and of scripts nothing is judged.
if [[ -n ${ZSH_EXECUTION_STRING-} ]]; then
	_mayi_said=$(@MAYI@ check --shell zsh - <<<"$ZSH_EXECUTION_STRING" 2>&1) || {
		case $? in (1) _mayi_said+=$'\nmayi: nobody is asked here; to be asked, run it with mayi run, or let a rule of the config allow it' ;; esac
		builtin print -ru2 -- "mayi: not run: $_mayi_said"
		builtin exit 126
	}
	builtin unset _mayi_said
fi
