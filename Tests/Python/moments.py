"""Pictures of 1280x720, 30 a second, that have the moment of their writing in their pixels, for measuring delays.

The moment is in milliseconds: a row of bars for its bits, and the inverted row below it.
"""

import itertools
import time

WIDTH, HEIGHT, RATE, BITS = 1280, 720, 30, 24


def write_pictures(path: str) -> None:
    """Writes pictures until nobody reads."""
    half = HEIGHT // 4
    bar = [bytes([16]) * (WIDTH // BITS), bytes([235]) * (WIDTH // BITS)]
    rest = bytes([128]) * (WIDTH * (HEIGHT - 2 * half) + WIDTH * HEIGHT // 2)
    padding = bytes([16]) * (WIDTH - BITS * (WIDTH // BITS))
    with open(path, "wb", buffering=0) as pipe:
        begin = time.monotonic()
        for index in itertools.count():
            time.sleep(max(0, begin + index / RATE - time.monotonic()))
            moment = (time.time_ns() // 1_000_000) % 2**BITS
            rows = [b"".join(bar[moment >> bit & 1 ^ flip] for bit in range(BITS)) + padding for flip in (0, 1)]
            picture = memoryview(rows[0] * half + rows[1] * half + rest)
            try:
                while picture:
                    picture = picture[pipe.write(picture) :]
            except BrokenPipeError:
                return


def note_outputs(path: str, outputs: dict[int, float]) -> None:
    """Records the time at which each composed frame was output, under the moment in its pixels."""
    size = WIDTH * HEIGHT * 3 // 2
    frame = memoryview(bytearray(size))
    bar = WIDTH // BITS
    with open(path, "rb", buffering=0) as pipe:
        while True:
            count = 0
            while count < size:
                read = pipe.readinto(frame[count:])
                if not read:
                    return
                if count < WIDTH <= count + read:
                    came = time.time() * 1000
                count += read
            outputs[sum((frame[bit * bar + bar // 2] > 127) << bit for bit in range(BITS))] = came


def spread(delays) -> str:
    """Returns the median, the 95th percentile and the most of delays in milliseconds."""
    delays = sorted(delays)
    p50, p95, most = (round(delays[int((len(delays) - 1) * share)]) for share in (0.5, 0.95, 1))
    return f"p50 {p50} ms, p95 {p95} ms, most {most} ms"
