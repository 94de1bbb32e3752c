"""Hooks of schemathesis: how offers are sent."""
import schemathesis

schemathesis.serializer.alias("application/sdp", "text/plain")
