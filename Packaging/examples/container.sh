#!/bin/bash
# Runs the container with this machine's cameras, GPU and sound card: container.sh rig.yaml recordings
# The panel of rig.yaml listens at all addresses there, with a token that `podman secret create panel-token FILE` makes:
#     panel: {listen: "0.0.0.0:8080", token: "${file:/run/secrets/panel-token}"}
set -euo pipefail
configuration=$(realpath "$1") recordings=$(realpath "$2")

devices=()
for device in /dev/video* /dev/media* /dev/dri /dev/snd; do
    if [ -e "$device" ]; then devices+=(--device "$device"); fi
done
# The groups that may use the devices come along: a user without privileges keeps them in the container.
# Docker has no keep-groups: give it `--group-add` with the numbers of video, render and audio.
exec podman run --rm --name pip-compose --read-only --cap-drop all --security-opt no-new-privileges \
    --userns keep-id:uid=10001 --group-add keep-groups "${devices[@]}" \
    --volume "$configuration:/etc/pip-compose/rig.yaml:ro" --volume "$recordings:/data" --tmpfs /tmp \
    --secret panel-token --publish 127.0.0.1:8080:8080 --stop-timeout 15 pip-compose run /etc/pip-compose/rig.yaml
