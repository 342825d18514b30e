# Ends the processes of private servers. A process belongs to a home when its working directory lies
# in it; groups and sessions would not do: PostgreSQL puts each child into a session of its own.
#
# Usage:
#   home.sh keep HOME SIGNAL   waits until nobody holds our standard input open, which is when the owner
#                              asked for the end or died; then asks all to leave with
#                              SIGNAL, kills who is left, and removes the home
#   home.sh crash HOME         kills all at once

task=${1:?}
home=${2:?}

someone_is_in() {
    inside=$(find /proc -maxdepth 2 -name cwd -lname "$home*" 2>/dev/null | cut -d / -f 3)
    [ -n "$inside" ]
}

leave_in_order() {
    someone_is_in || return 0
    kill -s "$1" $inside 2>/dev/null
    for _ in $(seq 100); do
        someone_is_in || return 0
        sleep 0.05
    done
}

leave_now() {
    while someone_is_in; do
        kill -s KILL $inside 2>/dev/null
        sleep 0.01
    done
}

if [ "$task" = keep ]; then
    read -r _
    leave_in_order "${3:?}"
fi
leave_now
if [ "$task" = keep ]; then
    rm -rf "$home"
fi
