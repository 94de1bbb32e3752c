#!/bin/bash
# An archive, composed anew in parts by GNU parallel, on this machine or on several:
#
#   bash parallel.sh 16 --main road.mp4 --inset driver.mp4 --output 'part-%05d.mp4'
#   pip-compose join part-*.mp4 -o whole.mp4
#
# On several: PARALLEL='--sshloginfile nodes --workdir .' bash parallel.sh …; all need the files under the same names. A
# part that fails is made again, three times in all; one that is there is not made again. The log has each part's time.
set -euo pipefail

count=${1:?the number of parts, then the options of pip-compose}
shift
printf -v command '%q ' "${PIP_COMPOSE:-pip-compose}" "$@"
seq 0 $((count - 1)) | parallel -I ,part, --retries 3 --joblog parts.log "$command --shard ,part,/$count"
