#!/bin/bash
# Runs on the emulated board, as root: installs the package and uses it. Each
# step says whether it passed; the recording goes to the second disk as a tar.
exec >/dev/ttyAMA0 2>&1
cd /root || exit 1
failed=

# step NAME COMMAND...: runs a command for at most ten minutes.
step() {
    local name=$1
    shift
    echo "BOARD: $name"
    # By a shell, since timeout itself runs no functions.
    if timeout 600 bash -c '"$@"' step "$@"; then
        echo "BOARD: $name: passed"
    else
        echo "BOARD: $name: FAILED with $?"
        failed=1
    fi
}

# Waits until a command succeeds, for at most two minutes.
await() {
    for _ in $(seq 120); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 1
    done
    return 1
}

record() {
    pip-compose --main /dev/video0 --inset /dev/video1 --size 320x180 --fps 10 --duration 10s --quiet \
        --output '/root/recording.mp4?encoder=openh264enc'
}

# The panel answers with the state of both cameras, while they are composed.
panel() {
    pip-compose --main /dev/video0 --inset /dev/video1 --size 320x180 --fps 5 --quiet --panel 127.0.0.1:8080 &
    await curl --fail --silent http://127.0.0.1:8080/api/v1/state &&
        [ "$(curl --fail --silent http://127.0.0.1:8080/api/v1/state | grep --only-matching '"source": "/dev/video[01]"' |
            sort --unique | tee /dev/stderr | wc --lines)" = 2 ] &&
        curl --fail --silent http://127.0.0.1:8080/api/v1/still.jpg --output still.jpg && file still.jpg
    local status=$?
    kill %1
    wait %1
    return "$status"
}

# The service is ready, lives beyond its watchdog's limit, and tells the heat of a thermal zone.
service() {
    cat >/etc/pip-compose/lab.yaml <<'END'
canvas: {size: 320x180, fps: 5}
cameras:
  main: {source: /dev/video0}
  inset: {source: /dev/video1}
outputs: ["%H%M%S.mkv?encoder=openh264enc"]
END
    systemctl start pip-compose@lab && sleep 40 && systemctl is-active pip-compose@lab &&
        systemctl show --property=NRestarts,StatusText,WatchdogUSec pip-compose@lab &&
        [ "$(systemctl show --property=NRestarts --value pip-compose@lab)" = 0 ] &&
        systemctl stop pip-compose@lab && ls -l /var/lib/pip-compose/lab
}

# A thermal zone at 61 °C in the place of the machine's, which has none.
heat() {
    mkdir -p /root/thermal/thermal_zone0 &&
        echo cpu-thermal >/root/thermal/thermal_zone0/type && echo 61000 >/root/thermal/thermal_zone0/temp &&
        echo 85000 >/root/thermal/thermal_zone0/trip_point_0_temp &&
        echo passive >/root/thermal/thermal_zone0/trip_point_0_type &&
        mount --bind /root/thermal /sys/class/thermal && pip-compose doctor | grep --ignore-case '61'
}

export -f await record panel service heat
step 'cameras' modprobe vivid n_devs=2 node_types=0x1,0x1 input_types=0x0,0x0
step 'sound card' modprobe snd-aloop
sleep 2
step 'install' apt-get --quiet=2 --yes --no-install-recommends install /root/pip-compose_*_arm64.deb
step 'version' pip-compose --version
step 'doctor' pip-compose doctor
step 'devices' pip-compose devices
step 'recording' record
step 'panel' panel
step 'heat' heat
step 'service' service
step 'removal' apt-get --quiet=2 --yes remove pip-compose
tar --create --file /dev/vdb recording.mp4 still.jpg
[ -n "$failed" ] || echo 'BOARD: all steps passed'
systemctl poweroff --force
