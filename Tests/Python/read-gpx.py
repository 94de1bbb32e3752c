"""Prints the points of a GPX file, one JSON object on a line, as gpxpy reads them.

Usage: read-gpx.py FILE
"""

import json
import sys

import gpxpy

with open(sys.argv[1], encoding="utf-8") as file:
    document = gpxpy.parse(file)
for track in document.tracks:
    for number, segment in enumerate(track.segments):
        for point in segment.points:
            own = [child for extension in point.extensions for child in extension]
            speed = [float(child.text) for child in own if child.tag.endswith("}speed")]
            print(
                json.dumps(
                    {
                        "segment": number,
                        "latitude": point.latitude,
                        "longitude": point.longitude,
                        "elevation": point.elevation,
                        "time": point.time.timestamp(),
                        "speed": speed[0] if speed else None,
                    }
                )
            )
