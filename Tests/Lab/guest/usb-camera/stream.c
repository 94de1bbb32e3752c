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

struct faults faults;

static struct stream {
	bool streaming;
	const struct format *format;
	const struct frame_size *mode;
	long period;			/* in nanoseconds */
	struct timespec due;		/* when the next frame is taken */
	uint32_t number;		/* frames since the camera was plugged in */
	uint32_t first;			/* the number of the frame with the file's first picture */

	uint8_t *canvas;
	const uint8_t *frame;
	size_t frame_size, frame_sent;
	uint8_t frame_flags;
} streams[FUNCTIONS];

void set_mode(unsigned function, const struct format *format, const struct frame_size *size, uint32_t interval)
{
	struct stream *s = &streams[function];

	s->format = format;
	s->mode = size;
	s->period = interval * 100L;
	s->canvas = realloc(s->canvas, frame_bytes(format, size));
	if (!s->canvas)
		abort();
	s->frame_size = s->frame_sent = 0;
}

void restart_clock(void)
{
	for (size_t i = 0; i < COUNT(streams); i++)
		clock_gettime(CLOCK_MONOTONIC, &streams[i].due);
}

void start_stream(unsigned function)
{
	struct stream *s = &streams[function];

	s->streaming = s->mode;
	s->frame_size = s->frame_sent = 0;
	/* An encoder begins with a picture that needs no others. */
	s->first = s->mode && s->format->coding == H264 ? s->number : 0;
	clock_gettime(CLOCK_MONOTONIC, &s->due);
}

void stop_stream(unsigned function)
{
	streams[function].streaming = false;
}

/* Colour bars that move left by 8 pixels a frame. */
static void draw_bars(const struct stream *s)
{
	static const uint8_t yuyv[8][4] = {
		{ 235, 128, 235, 128 }, { 210, 16, 210, 146 }, { 170, 166, 170, 16 }, { 145, 54, 145, 34 },
		{ 106, 202, 106, 222 }, { 81, 90, 81, 240 }, { 41, 240, 41, 110 }, { 16, 128, 16, 128 },
	};
	const unsigned width = s->mode->width;

	for (unsigned x = 0; x < width; x += 2)
		memcpy(s->canvas + 2 * x, yuyv[(x + 8 * s->number) % width * 8 / width], 4);
	for (unsigned y = 1; y < s->mode->height; y++)
		memcpy(s->canvas + y * width * 2, s->canvas, width * 2);
}

/* A ramp from black to white that moves left by 8 pixels a frame. */
static void draw_ramp(const struct stream *s)
{
	const unsigned width = s->mode->width;

	for (unsigned x = 0; x < width; x++)
		s->canvas[x] = (x + 8 * s->number) % width * 256 / width;
	for (unsigned y = 1; y < s->mode->height; y++)
		memcpy(s->canvas + y * width, s->canvas, width);
}

/* The first four bytes of what is drawn here hold the frame's number. */
static void draw(struct stream *s)
{
	if (s->format->coding == GREY)
		draw_ramp(s);
	else
		draw_bars(s);
	put_u32(s->canvas, s->number);
	s->frame = s->canvas;
	s->frame_size = frame_bytes(s->format, s->mode);
}

static void obey_faults(struct stream *s)
{
	if (faults.error)
		s->frame_flags |= ERROR;
	if (faults.cut)
		s->frame_size /= 2;
	faults.error = faults.cut = false;
}

static void take_frame(struct stream *s)
{
	const struct pictures *pictures = s->mode->pictures;
	const bool is_colour = s == &streams[COLOUR];

	if (pictures) {
		const size_t index = (s->number - s->first) % pictures->count;

		s->frame = pictures->bytes + pictures->picture[index].at;
		s->frame_size = pictures->picture[index].size;
	} else {
		draw(s);
	}
	s->number++;
	s->frame_sent = 0;
	if (is_colour && faults.drop) {
		/* The host knows nothing of a frame that was never taken. */
		faults.drop = false;
		s->frame_size = 0;
		return;
	}
	s->frame_flags = END_OF_HEADER | ((s->frame_flags ^ FRAME_ID) & FRAME_ID);
	if (is_colour)
		obey_faults(s);
}

static long until_due(const struct stream *s)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (s->due.tv_sec - now.tv_sec) * SECOND + s->due.tv_nsec - now.tv_nsec;
}

bool frame_ready(unsigned function)
{
	struct stream *s = &streams[function];

	if (!s->streaming || faults.frozen)
		return false;
	while (s->frame_sent == s->frame_size) {
		const long left = until_due(s);

		if (left > 0)
			return false;
		/* After more than half a second's pause the camera does not hurry to catch up. */
		if (left < -SECOND / 2)
			clock_gettime(CLOCK_MONOTONIC, &s->due);
		s->due.tv_nsec += function == COLOUR && exposure_halves_rate() ? 2 * s->period : s->period;
		s->due.tv_sec += s->due.tv_nsec / SECOND;
		s->due.tv_nsec %= SECOND;
		take_frame(s);
	}
	return true;
}

size_t fill_packet(unsigned function, uint8_t *packet, size_t room)
{
	struct stream *s = &streams[function];
	size_t part = s->frame_size - s->frame_sent;

	if (!part || room <= HEADER_SIZE)
		return 0;
	if (part > room - HEADER_SIZE)
		part = room - HEADER_SIZE;
	memcpy(packet + HEADER_SIZE, s->frame + s->frame_sent, part);
	s->frame_sent += part;
	packet[0] = HEADER_SIZE;
	packet[1] = s->frame_flags | (s->frame_sent == s->frame_size ? END_OF_FRAME : 0);
	return HEADER_SIZE + part;
}

long time_to_next_frame(unsigned function)
{
	const struct stream *s = &streams[function];
	long left;

	if (!s->streaming || faults.frozen)
		return NEVER;
	left = until_due(s);
	return left > 0 ? left : 0;
}
