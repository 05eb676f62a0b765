# Completes each line of standard input and prints `NUMBER<tab>REPLY<tab>DESCRIPTION`
# for each reply.
#
#     fish driver.fish LEFT
set number 0
set line
set before (functions -an) (set -n)

mayi completion fish | source
mayi completion fish | source

# What loading left behind.
for name in (functions -an) (set -n)
    contains -- $name $before before; or echo $name
end >$argv[1]

complete -c mayi-shiny -l shiny
while read line
    for reply in (complete -C $line)
        printf '%s\t%s\n' $number $reply
    end
    set number (math $number + 1)
end
