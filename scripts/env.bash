# For BASH_ENV: the text of bash -c is judged once, before anything of it runs.
# A second line of defence only: bash reads this file neither for sh and --posix,
# nor with -p, nor for whoever unsets BASH_ENV; and of scripts nothing is judged.
# Exported functions are there before it is read. In POSIX mode, which an assignment
# turns on, unset is found before any of that name, and takes the others away.
case $- in
*i*) ;;
*)
	if [[ ${BASH_EXECUTION_STRING-} ]]; then
		__mayi_said=$(@MAYI@ check --shell bash - <<<"$BASH_EXECUTION_STRING" 2>&1) || {
			case $? in 1) __mayi_said+=$'\nmayi: nobody is asked here; to be asked, run it with mayi run, or let a rule of the config allow it' ;; esac
			POSIXLY_CORRECT=1
			\unset -f unset builtin exit printf
			builtin printf 'mayi: not run: %s\n' "$__mayi_said" >&2
			builtin exit 126
		}
		builtin unset __mayi_said
	fi
	;;
esac
