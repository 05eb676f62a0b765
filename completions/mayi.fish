# Completion of fish for mayi. Load it with
#
#     mayi completion fish | source
#
# or keep it as ~/.config/fish/completions/mayi.fish.
#
# It runs nothing but `mayi list`, and shows what that prints without anything a
# terminal would obey. The names of commands and files are left to fish.

function _mayi_takes_value -d 'whether a flag of a command takes the next word'
    switch $argv[2]
        case config
            test "$argv[1]" != list
        case project
            test "$argv[1]" != hook
        case ask
            test "$argv[1]" = hook
        case rule db agent session
            true
        case permission p shell file f timeout home pattern scope message since number n alias action head
            true
        case '*'
            false
    end
end

# _mayi reads the tokens in front of the cursor and answers a question about them.
# By its status:
#
#     command            a command may stand here
#     flag COMMAND…      the flags of one of these may, of any when none is named
#     operand COMMAND…   an operand of one of these may
#     single COMMAND…    its first operand may
#     line               a part of the command line that is judged may
#     path               what another permission than bash is asked for may
#
# In words:
#
#     operands           the operands
#     place              the flags that say what is listed; a variable in one is
#                        left as it stands, so that nothing is found
#     judged             the command line that is judged
function _mayi -d 'read the tokens in front of the cursor'
    set -l tokens (commandline -opc)
    while string match -qr '^\w+=' -- "$tokens[1]"
        set -e tokens[1]
    end
    set -l command ''
    set -l permission bash
    set -l ended
    set -l operands
    set -l place
    set -l judged
    set -l i 1
    while test $i -lt (count $tokens)
        set i (math $i + 1)
        set -l token $tokens[$i]
        if test -z "$ended"; and test "$token" = --
            set ended 1
        else if test -z "$ended"; and string match -qr '^-.' -- $token
            set -l flag (string replace -r '^--?' '' -- $token | string split -m 1 =)
            if not set -q flag[2]; and _mayi_takes_value $command $flag[1]
                set i (math $i + 1)
                set -a flag "$tokens[$i]"
            end
            switch $flag[1]
                case permission p
                    set permission $flag[2]
                case db project session
                    set -a place --$flag[1]=(string replace -r '^~/' "$HOME/" -- "$flag[2]")
            end
        else if test -z "$command"
            set command $token
            set ended
        else if contains -- $command config init log
            set command "$command $token"
        else
            set -a operands $token
            if contains -- $command check ask run parse-bash guard
                set ended 1
                set judged $tokens[$i..-1]
                break
            end
        end
    end
    switch $argv[1]
        case command
            test -z "$command"
        case flag
            test -z "$ended"; and begin
                not set -q argv[2]; or contains -- $command $argv[2..-1]
            end
        case operand
            contains -- $command $argv[2..-1]
        case single
            not set -q operands[1]; and contains -- $command $argv[2..-1]
        case line
            contains -- $command check ask run; and test "$permission" = bash
        case path
            contains -- $command check ask run; and test "$permission" != bash
        case operands place judged
            string join -- \n $$argv[1]
    end
end

# The string is cut short and put on a line of its own, with a question mark for
# each character that would not show as itself. A quote inside a string of JSON is
# escaped, so that what looks like the name of a field is one; a control character
# is spelled out, and is left so.
function _mayi_field -d 'what a field of a JSON object holds, to be shown'
    string replace -rf '^.*?[{,]"'$argv[2]'":"((?:[^"\\\\]++|\\\\.)*+)".*$' '$1' -- $argv[1] |
        string replace -ra '\\\\(["\\\\])' '$1' |
        string sub -l 200 |
        string replace -ra '[\p{C}\p{Zl}\p{Zp}\x{34f}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{2800}\x{3164}\x{fe00}-\x{fe0f}\x{ffa0}\x{fffd}\x{e0100}-\x{e01ef}]' '?'
end

function _mayi_ids -d 'the IDs in a list that are not on the line yet: _mayi_ids FLAG FIELD…'
    set -l place (_mayi place)
    set -l typed (_mayi operands)
    for row in (command mayi list $argv[1] --json $place 2>/dev/null </dev/null)
        set -l id (string replace -rf '^.*?[{,]"id":(\d+).*$' '$1' -- $row)
        if test -n "$id"; and not contains -- "$id" $typed
            set -l fields
            for name in $argv[2..-1]
                set -a fields (_mayi_field $row $name)
            end
            printf '%s\t%s\n' $id (string join ': ' -- $fields | string collect)
        end
    end
end

function _mayi_agents -d 'the agents that config defines'
    command mayi list --agents --json (_mayi place) 2>/dev/null </dev/null | string replace -rf '^{"name":"([\w.-]+)"}$' '$1'
end

function _mayi_command_line -d 'complete the command line that is judged'
    set -l line (string escape -- (_mayi judged)) (commandline -ct)
    if not string match -q -- '-*' $line[1] # no name of a command, and a flag of complete
        complete -C "$line"
    end
end

complete -c mayi -e # so that loading this twice offers nothing twice
complete -c mayi -f

complete -c mayi -n '_mayi command' -a check -d 'decide; never asks, waits or writes'
complete -c mayi -n '_mayi command' -a ask -d 'decide, asking a person if need be'
complete -c mayi -n '_mayi command' -a run -d 'ask, then become the command'
complete -c mayi -n '_mayi command' -a approve -d 'answer requests that wait'
complete -c mayi -n '_mayi command' -a list -d 'show rules and approvals in the order in which they count, or what waits'
complete -c mayi -n '_mayi command' -a revoke -d 'take approvals back'
complete -c mayi -n '_mayi command' -a trust -d 'let the .mayi.jsonc of a project allow things, after a look at it'
complete -c mayi -n '_mayi command' -a untrust -d 'let the .mayi.jsonc of a project only deny and ask again'
complete -c mayi -n '_mayi command' -a parse-bash -d 'show what a line would run'
complete -c mayi -n '_mayi command' -a watch -d 'print requests and answers as they come'
complete -c mayi -n '_mayi command' -a log -d 'show the decisions that were given, the newest last'
complete -c mayi -n '_mayi command' -a hook -d 'judge what an AI agent is about to do, in its own way; or install that'
complete -c mayi -n '_mayi command' -a session -d 'start an agent as a session of its own, so that it cannot approve itself'
complete -c mayi -n '_mayi command' -a doctor -d 'look whether what is installed does what it should'
complete -c mayi -n '_mayi command' -a config -d 'check, show and find the config'
complete -c mayi -n '_mayi command' -a init -d 'print code for a shell: the guard on Enter, or wrappers for chosen commands'
complete -c mayi -n '_mayi command' -a guard -d 'decide about a line that a person typed, as the hook of mayi init does at Enter'
complete -c mayi -n '_mayi command' -a completion -d 'print the completion of a shell, to be read by it'
complete -c mayi -n '_mayi command' -a help -d 'explain a command'
complete -c mayi -n '_mayi command' -a version -d 'print the version'

complete -c mayi -n '_mayi line' -a '(_mayi_command_line)'
complete -c mayi -n '_mayi path' -F
complete -c mayi -n '_mayi operand approve' -k -a '(_mayi_ids --pending line)'
complete -c mayi -n '_mayi operand revoke' -k -a '(_mayi_ids --approved permission pattern)'
complete -c mayi -n '_mayi single trust untrust' -a '(__fish_complete_directories (commandline -ct))'
complete -c mayi -n '_mayi operand list' -a 'bash edit read glob grep webfetch external_directory doom_loop'
complete -c mayi -n '_mayi single hook' -a 'amp antigravity claude cline codex copilot crush cursor droid gemini goose kimi kiro opencode qwen vscode windsurf'
complete -c mayi -n '_mayi single config' -a check -d 'read every layer, or the files given, and say what is wrong or has no effect'
complete -c mayi -n '_mayi single config' -a show -d 'the rules of every layer in order, with where they stand'
complete -c mayi -n '_mayi single config' -a path -d 'where config is looked for, in order'
complete -c mayi -n '_mayi operand "config check"' -F
complete -c mayi -n '_mayi single log' -a verify -d 'walk the chain of hashes, and say where the log was changed after it was written'
complete -c mayi -n '_mayi single log' -a show -d 'everything about one decision'
complete -c mayi -n '_mayi single init' -a 'bash zsh fish' -d 'the guard on Enter'
complete -c mayi -n '_mayi single init' -a alias -d 'aliases, for fish functions, that run commands through mayi run'
complete -c mayi -n '_mayi single init' -a shims -d 'fill a directory for the front of $PATH with programs that do'
complete -c mayi -n '_mayi single init' -a bash-env -d 'for a file that $BASH_ENV names: judges the text of bash -c'
complete -c mayi -n '_mayi single init' -a zshenv -d 'for .zshenv: judges the text of zsh -c'
complete -c mayi -n '_mayi operand "init alias"' -a '(__fish_complete_command)'
complete -c mayi -n '_mayi single "init shims"' -a '(__fish_complete_directories (commandline -ct))'
complete -c mayi -n '_mayi single completion' -a 'bash zsh fish'
complete -c mayi -n '_mayi single help' -a 'check ask run approve list revoke trust untrust parse-bash watch log hook session doctor config init guard completion help version'

complete -c mayi -n '_mayi flag' -l json -d 'print JSON'
complete -c mayi -n '_mayi flag' -s q -l quiet -d 'print nothing but errors'
complete -c mayi -n '_mayi flag' -l no-color -d 'no colours'
complete -c mayi -n '_mayi flag; and not _mayi flag list' -l config -r -F -d 'one more config, behind the others'
complete -c mayi -n '_mayi flag' -l rule -x -d 'one more rule behind everything, such as bash:git *=allow'
complete -c mayi -n '_mayi flag' -l db -r -F -d 'the database'
complete -c mayi -n '_mayi flag' -l agent -x -a '(_mayi_agents)' -d 'judge by the rules of an agent'
complete -c mayi -n '_mayi flag' -l session -x -d 'the session that asks'
complete -c mayi -n '_mayi flag; and not _mayi flag hook' -l project -x -a '(__fish_complete_directories (commandline -ct))' -d 'the project'

complete -c mayi -n '_mayi flag check ask run' -s p -l permission -x -a 'bash edit read glob grep webfetch external_directory doom_loop' -d 'what is asked for'
complete -c mayi -n '_mayi flag check ask run parse-bash' -l shell -x -a 'bash posix mksh zsh bats fish' -d 'the shell the line is for'
complete -c mayi -n '_mayi flag guard' -l shell -x -a 'bash posix mksh zsh bats fish' -d 'the shell the line is for'
complete -c mayi -n '_mayi flag guard' -l alias -x -d 'an alias of that shell, NAME=VALUE'
complete -c mayi -n '_mayi flag "init alias" "init shims"' -l shell -x -a 'bash zsh fish' -d 'the shell that reads it'
complete -c mayi -n '_mayi flag "init alias" "init shims"' -l remove -d 'take it away again'
complete -c mayi -n '_mayi flag check ask run' -l argv -d 'the arguments are the words of one command, even a single one'
complete -c mayi -n '_mayi flag check' -s f -l file -r -F -d 'judge a script'
complete -c mayi -n '_mayi flag check' -s v -l verbose -d 'explain the verdict'
complete -c mayi -n '_mayi flag ask run' -l timeout -x -d 'how long to wait for an answer, such as 30s; 0 does not wait'
complete -c mayi -n '_mayi flag ask run' -l no-tty -d 'do not ask at this terminal, wait for another'
complete -c mayi -n '_mayi flag approve' -l once -d 'allow this once'
complete -c mayi -n '_mayi flag approve' -l always -d 'allow, and store it'
complete -c mayi -n '_mayi flag approve' -l reject -d 'reject, and with it what else the session asks'
complete -c mayi -n '_mayi flag approve' -l pattern -x -d 'with --always: what to store, for the parts it covers'
complete -c mayi -n '_mayi flag approve' -l scope -x -a 'project session global' -d 'with --always: where it holds'
complete -c mayi -n '_mayi flag approve' -l message -x -d 'with --reject: what to do instead'
complete -c mayi -n '_mayi flag approve' -l only -d 'with --reject: leave the session\'s other requests waiting'
complete -c mayi -n '_mayi flag approve' -l all -d 'every request that waits now'
complete -c mayi -n '_mayi flag list' -l pending -d 'the requests that wait for an answer'
complete -c mayi -n '_mayi flag list' -l approved -d 'the approvals alone'
complete -c mayi -n '_mayi flag list' -l config -d 'the rules of the config alone'
complete -c mayi -n '_mayi flag list' -l tools -d 'which tools are switched off'
complete -c mayi -n '_mayi flag list' -l agents -d 'the agents that --agent may name'
complete -c mayi -n '_mayi flag list' -l trusted -d 'the projects whose .mayi.jsonc may allow things'
complete -c mayi -n '_mayi flag list' -l everywhere -d 'with --approved: of every project and session'
complete -c mayi -n '_mayi flag revoke' -l all -d 'every approval that holds in this project and session'
complete -c mayi -n '_mayi flag parse-bash' -s f -l file -r -F -d 'read a script'
complete -c mayi -n '_mayi flag hook' -l ask -x -a 'native deny wait' -d 'who is asked'
complete -c mayi -n '_mayi flag hook' -l timeout -x -d 'with --ask=wait: how long to wait for an answer'
complete -c mayi -n '_mayi flag hook' -l install -d 'put this hook into the settings of the agent'
complete -c mayi -n '_mayi flag hook' -l home -x -a '(__fish_complete_directories)' -d 'the home directory below which config and database are'
complete -c mayi -n '_mayi flag hook' -l uninstall -d 'take it out again'
complete -c mayi -n '_mayi flag hook' -l print -d 'show what an install would write'
complete -c mayi -n '_mayi flag hook' -l project -d 'with these: the settings of this project'
complete -c mayi -n '_mayi flag watch' -l since -x -d 'first those after an event; 0 for all'
complete -c mayi -n '_mayi flag log' -s n -l number -x -d 'how many; 0 for all'
complete -c mayi -n '_mayi flag log' -l since -x -d 'those after a time: 2h, 3d, 2026-01-31, \'2026-01-31 14:00\''
complete -c mayi -n '_mayi flag log' -l action -x -a 'allow deny ask once always rejected corrected expired withdrawn refused error' -d 'those that ended in an outcome'
complete -c mayi -n '_mayi flag "log verify"' -l head -x -d 'a hash that this printed before must still be in the chain'
complete -c mayi -n '_mayi flag doctor' -l repair -d 'at a terminal: put right what can be, asking first'
