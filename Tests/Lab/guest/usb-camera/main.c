/*
 * usb-camera: a USB camera made of software, for the kernel's own uvcvideo.
 *
 *   usb-camera [--port N] [--name TEXT] [--serial TEXT] [--settled E,K] [--mjpeg FILE]...
 *              [--h264 WIDTHxHEIGHT:FILE]... [--infrared]
 *
 * It is a high-speed USB 2 device of the video class 1.1 with an isochronous
 * endpoint, as most webcams are, plugged into the virtual host controller of
 * the module vhci-hcd; the module uvcvideo drives it. Its controls are in
 * controls.c. It offers
 *
 *   MJPG   at the size of each FILE's pictures, at 30 and 15 frames a second;
 *          a FILE holds JPEG pictures one after the other, sent as they are
 *   YUYV   640x480 and 320x240 at 30 and 15, 1280x720 at 10: moving bars; the
 *          first four bytes are the frame's number, lowest byte first
 *   H264   at each WIDTH and HEIGHT, at 30 and 15; a FILE holds byte-stream
 *          format with access unit delimiters. A stream begins at its begin,
 *          and goes on there after its end
 *
 * Its automatic exposure and white balance have come to E tenths of a
 * millisecond and K kelvins.
 *
 * With --infrared it has a second sensor, as cameras that know faces have: to
 * the driver a camera of its own, which offers
 *
 *   GREY   640x360 at 30 and 15: a moving ramp, numbered as above
 *
 * It prints the path of its device node when that is there, then that of its
 * infrared sensor, and stays until it is unplugged. Commands are lines on
 * standard input; the first three and the darkness are of the frames in colour:
 *
 *   error       the next frame carries the error bit
 *   short       the next frame ends in its middle
 *   drop        the next frame is not sent at all
 *   freeze      send nothing, as a camera that hangs, until
 *   thaw        go on
 *   stall       refuse all control requests, until
 *   stall NAME  refuse to set the control of this name and no other, until
 *   unstall     answer again
 *   set NAME N  change a control as a camera does by itself: its shutter is
 *               pushed (`set privacy 1`), its focus found. This goes for
 *               privacy, focus_absolute, zoom_absolute, pan_absolute,
 *               tilt_absolute, exposure_time_absolute, gain and
 *               white_balance_temperature; the driver is told
 *   dark        halve the frame rate, if exposure is automatic and
 *               exposure_dynamic_framerate lets it, until
 *   light       it is light again
 *   hang        answer nothing any more, and take nothing back: its driver
 *               hangs, too, until the cable is pulled
 *   unplug      pull the cable and end; so do SIGTERM and SIGKILL
 */
#include "camera.h"

#include <errno.h>
#include <getopt.h>
#include <glob.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Finds the device node of a function; false if the driver has not made it yet. */
static bool find_node(int port, unsigned function, char *node, size_t room)
{
	char pattern[128], index[8] = "";
	bool found = false;
	glob_t paths;

	/* A metadata node comes with it, which has index 1. */
	snprintf(pattern, sizeof pattern,
		 "/sys/devices/platform/vhci_hcd.0/usb*/*-%d/*:1.%u/video4linux/video*/index",
		 port + 1, function * INTERFACES + VIDEO_CONTROL);
	if (glob(pattern, 0, NULL, &paths))
		return false;
	for (size_t i = 0; i < paths.gl_pathc && !found; i++) {
		char *path = paths.gl_pathv[i];
		FILE *file = fopen(path, "r");

		if (!file)
			continue;
		found = fgets(index, sizeof index, file) && atoi(index) == 0;
		fclose(file);
		*strrchr(path, '/') = 0;
		snprintf(node, room, "/dev/%.20s", strrchr(path, '/') + 1);
		found = found && access(node, F_OK) == 0;
	}
	globfree(&paths);
	return found;
}

/* Prints our device nodes, once the driver has made them. Returns whether it has. */
static bool announce(int port)
{
	char nodes[FUNCTIONS][32];

	for (unsigned function = 0; function < function_count(); function++)
		if (!find_node(port, function, nodes[function], sizeof *nodes))
			return false;
	for (unsigned function = 0; function < function_count(); function++)
		puts(nodes[function]);
	fflush(stdout);
	return true;
}

static _Noreturn void run(int port)
{
	bool announced = false, has_input = true;

	for (;;) {
		struct pollfd polls[] = {
			{ .fd = hung ? -1 : cable(), .events = POLLIN },
			{ .fd = has_input ? STDIN_FILENO : -1, .events = POLLIN },
		};
		struct timespec wait = { 0, 20000000 };	/* looking for the node */
		bool timed = !announced;

		if (!hung)
			send_pending();
		if (!hung && announced)
			timed = time_to_send(&wait);
		if (ppoll(polls, COUNT(polls), timed ? &wait : NULL, NULL) < 0 && errno != EINTR) {
			perror("usb-camera: ppoll");
			exit(1);
		}
		if (polls[0].revents)
			handle_message();
		if (polls[1].revents)
			has_input = read_commands();
		if (!announced)
			announced = announce(port);
	}
}

int main(int count, char **arguments)
{
	static const struct option options[] = {
		{ "port", required_argument, NULL, 'p' }, { "name", required_argument, NULL, 'n' },
		{ "serial", required_argument, NULL, 's' }, { "settled", required_argument, NULL, 'e' },
		{ "mjpeg", required_argument, NULL, 'm' }, { "h264", required_argument, NULL, 'h' },
		{ "infrared", no_argument, NULL, 'i' }, { 0 },
	};
	struct identity identity = { "Lab Camera", "LAB0001" };
	int port = -1, option, exposure, kelvins, path;
	unsigned width, height;

	while ((option = getopt_long(count, arguments, "", options, NULL)) != -1)
		switch (option) {
		case 'p':
			port = atoi(optarg);
			break;
		case 'n':
			identity.name = optarg;
			break;
		case 's':
			identity.serial = optarg;
			break;
		case 'e':
			if (sscanf(optarg, "%d,%d", &exposure, &kelvins) == 2) {
				settle_on(exposure, kelvins);
				break;
			}
			fprintf(stderr, "usb-camera: --settled takes two numbers, not %s\n", optarg);
			return 2;
		case 'm':
			offer_pictures(MJPEG, read_jpegs(optarg));
			break;
		case 'h':
			path = 0;
			if (sscanf(optarg, "%5ux%5u:%n", &width, &height, &path) == 2 && path) {
				offer_pictures(H264, read_access_units(optarg + path, width, height));
				break;
			}
			fprintf(stderr, "usb-camera: --h264 takes WIDTHxHEIGHT:FILE, not %s\n", optarg);
			return 2;
		case 'i':
			offer_infrared();
			break;
		default:
			fputs("usage: usb-camera [--port N] [--name TEXT] [--serial TEXT] [--settled E,K] "
			      "[--mjpeg FILE]... [--h264 WIDTHxHEIGHT:FILE]... [--infrared]\n", stderr);
			return 2;
		}
	build_descriptors(&identity);
	port = plug_in(port);
	run(port);
}
