# What a remote worker of the lab that starts a process for each job gives its jobs to: it walks by `baton tell`, and writes
# down what it saw. $1 is Baton, $2 where to write, $3 the worker. It needs the `date` of GNU.
baton=$1 log=$2 worker=$3
payload=$(cat)

# The number of this name in the payload, or nothing.
number() {
    case $payload in
        *"\"$1\":"*) rest=${payload#*"\"$1\":"} && echo "${rest%%[!0-9]*}" ;;
    esac
}

# One write for each line, so that whoever is killed leaves no half of one.
saw() {
    printf '{"at_us":%s,"worker":"%s","job":"%s","attempt":%s,"did":{"%s":%s}}\n' \
        "$(date +%s%6N)" "$worker" "$BATON_JOB_ID" "$BATON_ATTEMPT" "$1" "$2" >>"$log"
}

# A job for each item from $1 to before $2, a line each.
children() {
    item=$1
    while [ "$item" -lt "$2" ]; do
        printf '{"kind":"lab.item","payload":{"item":%s},"key":"%s-%s"}\n' "$item" "$key" "$item"
        item=$((item + 1))
    done
}

walk() {
    # Nobody waits for it: it ends with the group alone.
    sleep 3600 &
    items=$(number items) chunk=$(number chunk)
    key=${payload#*'"key":"'} && key=${key%%'"'*}
    jobs=$BATON_JOB_ID.$BATON_ATTEMPT.ndjson
    while [ "$cursor" -lt "$items" ]; do
        sleep 0.03
        next=$((cursor + chunk < items ? cursor + chunk : items))
        children "$cursor" "$next" >"$jobs"
        saw asked "$next"
        "$baton" tell checkpoint "$next" --jobs "$jobs"
        case $? in
            0) saw saved "$next" && cursor=$next ;;
            # It is to stop, whether the cursor has moved or not.
            75)
                "$baton" tell retry-after 1s
                exit 75
                ;;
            *) exit 7 ;;
        esac
    done
}

cursor=${BATON_CURSOR:-0}
saw began "$cursor"
if [ "$BATON_KIND" = lab.walk ]; then
    walk
elif [ "$BATON_TRIES" -eq 1 ]; then
    # Of a hundred items of a walk one fails when it is tried first.
    case $(number item) in
        *99) exit 7 ;;
    esac
fi
