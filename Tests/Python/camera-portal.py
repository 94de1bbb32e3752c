"""Stands for a desktop's camera portal on a message bus.

camera-portal.py ADDRESS ANSWER [SOCKET]

ADDRESS is the bus's. ANSWER is the number with which requests are answered, before their calls return, or "never".
SOCKET is PipeWire's, to which each remote is a connection; without it, a remote is one end of a pair of sockets, of
which the other end notices when it is closed. Prints "ready" first, then the methods that are called, and "closed N"
when remote N without PipeWire is closed.
"""

import socket
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

INTERFACES = """
<node>
  <interface name="org.freedesktop.portal.Camera">
    <method name="AccessCamera"><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/></method>
    <method name="OpenPipeWireRemote"><arg type="a{sv}" direction="in"/><arg type="h" direction="out"/></method>
    <property name="IsCameraPresent" type="b" access="read"/>
  </interface>
  <interface name="org.freedesktop.portal.Request">
    <method name="Close"/>
  </interface>
</node>
"""
REQUEST = "org.freedesktop.portal.Request"
address, answer = sys.argv[1:3]
pipewire = sys.argv[3] if len(sys.argv) > 3 else None
interfaces = Gio.DBusNodeInfo.new_for_xml(INTERFACES)
bus = Gio.DBusConnection.new_for_address_sync(
    address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None
)
kept = []


def say(word):
    print(word, flush=True)


def remote():
    if pipewire:
        end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        end.connect(pipewire)
        return end
    ours, theirs = socket.socketpair()
    kept.append(ours)
    number = len(kept)
    GLib.io_add_watch(ours.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.HUP, lambda *_: say(f"closed {number}"))
    return theirs


def called(connection, sender, path, interface, method, arguments, invocation):
    say(method)
    if method == "AccessCamera":
        token = arguments.unpack()[0]["handle_token"]
        request = f"/org/freedesktop/portal/desktop/request/{sender[1:].replace('.', '_')}/{token}"
        bus.register_object(request, interfaces.lookup_interface(REQUEST), called, None, None)
        if answer != "never":
            bus.emit_signal(sender, request, REQUEST, "Response", GLib.Variant("(ua{sv})", (int(answer), {})))
        invocation.return_value(GLib.Variant("(o)", (request,)))
    elif method == "OpenPipeWireRemote":
        descriptors = Gio.UnixFDList.new()
        with remote() as end:
            index = descriptors.append(end.fileno())
        invocation.return_value_with_unix_fd_list(GLib.Variant("(h)", (index,)), descriptors)
    else:
        invocation.return_value(None)


def read(connection, sender, path, interface, name):
    return GLib.Variant("b", True)


bus.register_object(
    "/org/freedesktop/portal/desktop",
    interfaces.lookup_interface("org.freedesktop.portal.Camera"),
    called,
    read,
    None,
)
Gio.bus_own_name_on_connection(
    bus, "org.freedesktop.portal.Desktop", Gio.BusNameOwnerFlags.NONE, lambda *_: say("ready"), None
)
GLib.MainLoop().run()
