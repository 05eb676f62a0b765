# The guard on Enter for fish: mayi init fish | source
#
# Nothing that fish calls before a command can stop it, so every key that runs a
# line is bound to a function that asks first. A refused line is kept in the history
# since fish 4.0; before that undo (Ctrl-Z) brings it back.

if builtin status is-interactive
    function __mayi_enter -d 'run the line if mayi allows it'
        # A pager is open, or fish will ask for the rest or complain: nothing would run.
        if builtin commandline --paging-mode; or not builtin commandline --is-valid
            builtin commandline -f execute
            return
        end
        if not builtin string match -qr '^[4-9]' -- $version
            __mayi_abbr; or return
        end
        set -l line (builtin commandline | builtin string collect)
        if not builtin string match -qr '\S' -- $line
            builtin commandline -f execute
            return
        end
        set -l aliases (__mayi_aliases $line)
        set -lx MAYI_TOLD (__mayi_tell $line | builtin string collect)
        set -l said (@MAYI@ guard --shell fish $aliases -- $line 2>&1 </dev/null | builtin string collect)
        set -l code $pipestatus[1]
        if builtin test "$code" = 0
            builtin commandline -f execute
            return
        end
        if not builtin contains -- "$code" 1 2 3 4 64 65 70 74 75 78 130
            set said "mayi: not run: the guard failed ($code)"
        end
        builtin history append -- $line 2>/dev/null # since fish 4.0
        builtin printf '\n%s\n' $said >/dev/tty
        builtin commandline -r ''
        builtin commandline -f repaint
    end

    # Before 4.0 no binding can expand an abbreviation and go on. A plain one is put
    # in its place here; for any other, this Enter expands it and the next runs it.
    function __mayi_abbr -d 'expand the abbreviation at the cursor; false when Enter is used up by that'
        set -l token (builtin commandline -ct | builtin string collect)
        if builtin test -z "$token"; or not builtin contains -- "$token" (builtin abbr --list)
            return 0
        end
        set -l name (builtin string escape -- $token)
        set -l before (builtin commandline -opc)
        set -l value (builtin abbr --show | builtin string match -rg -- '^abbr -a -- '(builtin string escape --style=regex -- $name)' (.*)$')
        if builtin set -q before[1]; or not builtin set -q value[1]
            builtin commandline -f expand-abbr
            return 1
        end
        builtin commandline -t -- (builtin string unescape -- $value[1] | builtin string collect)
    end

    # An alias is a function of one line in fish. Each word of the line that is one
    # is handed over, and each word of those.
    function __mayi_aliases -d 'flags for the functions of one line that a line may use'
        set -l words (builtin string match -ar '[^\s;&|()<>{}$"\']+' -- $argv[1])
        set -l seen
        set -l i 0
        while builtin test $i -lt (builtin count $words); and builtin test $i -lt 200
            set i (builtin math $i + 1)
            set -l word $words[$i]
            if builtin contains -- $word $seen; or not builtin functions -q -- $word
                continue
            end
            set -a seen $word
            set -l body (builtin functions -- $word | builtin string match -rv '^\s*(#.*)?$')
            if builtin test (builtin count $body) = 3
                set -l value (builtin string replace -r '\s+\$argv[\s;]*$' '' -- (builtin string trim -- $body[2]))
                builtin printf '%s\n' --alias $word=$value
                set -a words (builtin string match -ar '[^\s;&|()<>{}$"\']+' -- $value)
            end
        end
    end

    # What the variables of the line hold now, so that nobody is asked what they might
    # be: in the environment, where no other user sees it. Only those of one string; a
    # function that is called in the line may set any of them.
    function __mayi_tell -d 'what the shell knows of the words of a line'
        builtin test (builtin string length -- $argv[1]) -lt 4096; or return
        set -l __mayi_told
        for __mayi_name in (builtin string match -arg '\$([A-Za-z_][A-Za-z0-9_]*)' -- $argv[1])
            if builtin contains -- $__mayi_name argv history pipestatus status umask CMD_DURATION; or builtin string match -q '__mayi*' -- $__mayi_name
                continue
            end
            if builtin set -q $__mayi_name; and builtin test (builtin count $$__mayi_name) = 1; and not builtin string match -qr '\n' -- $$__mayi_name; and builtin test (builtin string length -- $$__mayi_name) -lt 4096
                set -a __mayi_told $__mayi_name=$$__mayi_name
            end
        end
        if builtin set -q __mayi_told[1]; and builtin test (builtin count $__mayi_told) -lt 60
            for __mayi_name in (builtin string match -ar '[^\s;&|()<>{}$"\']+' -- $argv[1])
                if builtin functions -q -- $__mayi_name
                    set -a __mayi_told $__mayi_name'()'
                end
            end
            builtin printf '%s\n' $__mayi_told
        end
    end

    function __mayi_bind -d 'bind the keys that run a line' --on-event fish_prompt
        if builtin set -q __mayi_shown; and not builtin bind \r 2>/dev/null | builtin string match -q '*__mayi_enter*'
            builtin printf '%s\n' 'mayi: something had bound Enter past the guard; it is back' >&2
        end
        set -g __mayi_shown 1
        set -l keys \r \n \e\[27\;5\;13~ \e\[13\;5u \e\[27\;2\;13~ \e\[13\;2u
        # Should a function be gone, no line could be run to bring it back.
        set -l does 'builtin functions -q __mayi_enter __mayi_abbr __mayi_aliases __mayi_tell __mayi_bind; or $__mayi_program init fish | source; __mayi_enter'
        if builtin string match -qr '^[4-9]' -- $version
            set -a keys enter ctrl-enter shift-enter ctrl-j ctrl-m
            set -p does expand-abbr
        end
        for mode in default insert replace
            for key in $keys
                builtin bind -M $mode $key $does 2>/dev/null
            end
        end
    end
    set -g __mayi_program @MAYI@
    set -e __mayi_shown
    __mayi_bind
    set -e __mayi_shown
end
