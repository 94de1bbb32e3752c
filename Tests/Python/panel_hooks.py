"""A hook of schemathesis that sends offers as text."""
import schemathesis

schemathesis.serializer.alias("application/sdp", "text/plain")
