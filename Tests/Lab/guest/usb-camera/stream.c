/*
 * Source: USB Device Class Definition for Video Devices 1.1, 2.4.3 "Video
 * Streaming": every packet begins with a header, and a frame is known by a bit
 * in it that changes from frame to frame.
 */
#include "camera.h"

#include <stdlib.h>
#include <string.h>

enum { FRAME_ID = 1 << 0, END_OF_FRAME = 1 << 1, ERROR = 1 << 6, END_OF_HEADER = 1 << 7 };
enum { HEADER_SIZE = 2 };
#define SECOND 1000000000L

struct faults faults;

static bool streaming;
static const struct format *format;
static const struct frame_size *mode;
static long period;			/* in nanoseconds */
static struct timespec due;		/* when the next frame is taken */
static uint32_t number;			/* frames since the camera was plugged in */
static uint32_t first;			/* the number of the first picture of the file */

static uint8_t *canvas;
static const uint8_t *frame;
static size_t frame_size, frame_sent;
static uint8_t frame_flags;

void set_mode(const struct format *new_format, const struct frame_size *size, uint32_t interval)
{
	format = new_format;
	mode = size;
	period = interval * 100L;
	canvas = realloc(canvas, mode->width * mode->height * 2);
	if (!canvas)
		abort();
	frame_size = frame_sent = 0;
}

void restart_clock(void)
{
	clock_gettime(CLOCK_MONOTONIC, &due);
}

void start_stream(void)
{
	streaming = true;
	frame_size = frame_sent = 0;
	/* An encoder begins with a picture that needs no others. */
	first = format->coding == H264 ? number : 0;
	restart_clock();
}

void stop_stream(void)
{
	streaming = false;
}

/* Colour bars that move left by 8 pixels a frame; the first four bytes hold the number. */
static void draw_bars(void)
{
	static const uint8_t yuyv[8][4] = {
		{ 235, 128, 235, 128 }, { 210, 16, 210, 146 }, { 170, 166, 170, 16 }, { 145, 54, 145, 34 },
		{ 106, 202, 106, 222 }, { 81, 90, 81, 240 }, { 41, 240, 41, 110 }, { 16, 128, 16, 128 },
	};
	const unsigned width = mode->width;

	for (unsigned x = 0; x < width; x += 2)
		memcpy(canvas + 2 * x, yuyv[(x + 8 * number) % width * 8 / width], 4);
	for (unsigned y = 1; y < mode->height; y++)
		memcpy(canvas + y * width * 2, canvas, width * 2);
	put_u32(canvas, number);
}

static void take_frame(void)
{
	const struct pictures *pictures = mode->pictures;

	if (pictures) {
		const size_t index = (number - first) % pictures->count;

		frame = pictures->bytes + pictures->picture[index].at;
		frame_size = pictures->picture[index].size;
	} else {
		draw_bars();
		frame = canvas;
		frame_size = mode->width * mode->height * 2;
	}
	number++;
	frame_sent = 0;
	if (faults.drop) {
		/* The host knows nothing of a frame that was never taken. */
		faults.drop = false;
		frame_size = 0;
		return;
	}
	frame_flags = END_OF_HEADER | ((frame_flags ^ FRAME_ID) & FRAME_ID);
	if (faults.error)
		frame_flags |= ERROR;
	if (faults.cut)
		frame_size /= 2;
	faults.error = faults.cut = false;
}

static long until_due(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (due.tv_sec - now.tv_sec) * SECOND + due.tv_nsec - now.tv_nsec;
}

bool frame_ready(void)
{
	if (!streaming || faults.frozen)
		return false;
	while (frame_sent == frame_size) {
		const long left = until_due();

		if (left > 0)
			return false;
		/* After a pause the camera does not hurry to catch up. */
		if (left < -SECOND / 2)
			restart_clock();
		due.tv_nsec += exposure_halves_rate() ? 2 * period : period;
		due.tv_sec += due.tv_nsec / SECOND;
		due.tv_nsec %= SECOND;
		take_frame();
	}
	return true;
}

size_t fill_packet(uint8_t *packet, size_t room)
{
	size_t part = frame_size - frame_sent;

	if (!part || room <= HEADER_SIZE)
		return 0;
	if (part > room - HEADER_SIZE)
		part = room - HEADER_SIZE;
	memcpy(packet + HEADER_SIZE, frame + frame_sent, part);
	frame_sent += part;
	packet[0] = HEADER_SIZE;
	packet[1] = frame_flags | (frame_sent == frame_size ? END_OF_FRAME : 0);
	return HEADER_SIZE + part;
}

bool time_to_next_frame(struct timespec *wait)
{
	long left;

	if (!streaming || faults.frozen)
		return false;
	left = until_due();
	*wait = left > 0 ? (struct timespec){ left / SECOND, left % SECOND } : (struct timespec){ 0, 0 };
	return true;
}
