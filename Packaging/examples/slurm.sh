#!/bin/bash
# An archive, composed anew in parts by Slurm, one task of an array each:
#
#   sbatch --array=0-15 slurm.sh --main road.mp4 --inset driver.mp4 --output 'part-%05d.mp4'
#
# and, once all are there, put together without encoding anew:
#
#   sbatch --dependency=singleton --job-name=pip-compose --wrap 'pip-compose join part-*.mp4 -o whole.mp4'
#
# All nodes need the files under the same names. A part whose task is killed, whose node goes away or that is asked to
# stop is made again, five times at most; what it had written is not kept. A part that is there is not made again. Of
# an array of some parts only, say how many there are in all: PARTS=16 sbatch --array=3,7 …
#SBATCH --job-name=pip-compose
#SBATCH --cpus-per-task=2
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=part-%a.log
# A minute before the time is over, so that the part is given back rather than killed.
#SBATCH --signal=B:TERM@60

# Slurm tells the shell only: it passes that on, and waits.
"${PIP_COMPOSE:-pip-compose}" "$@" --shard "$SLURM_ARRAY_TASK_ID/${PARTS:-$((SLURM_ARRAY_TASK_MAX + 1))}" &
part=$!
trap 'kill -TERM $part 2>/dev/null' TERM
while wait $part; status=$?; kill -0 $part 2>/dev/null; do :; done

# 75 is "again, please", and above 128 a signal; anything else would fail again.
if ((status == 75 || status > 128)) && ((${SLURM_RESTART_COUNT:-0} < 5)); then
	echo "part $SLURM_ARRAY_TASK_ID: ended with $status, and is made again" >&2
	scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && sleep 30
fi
exit "$status"
