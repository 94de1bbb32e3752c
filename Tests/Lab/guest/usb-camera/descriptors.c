/*
 * Sources: USB 2.0, chapter 9; USB Device Class Definition for Video Devices 1.1,
 * chapter 3; its payload documents for MJPEG, Uncompressed and
 * Frame Based.
 */
#include "camera.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE = 1, CONFIGURATION, STRING, INTERFACE, ENDPOINT, QUALIFIER, ASSOCIATION = 11 };
enum { CLASS_INTERFACE = 0x24, CLASS_ENDPOINT = 0x25, VIDEO_CLASS = 0x0e };
enum { INPUT = 0x80 };					/* of an endpoint address */
enum { NO_STRING, VENDOR, NAME, SERIAL, INFRARED_NAME };
static const uint8_t names[FUNCTIONS] = { NAME, INFRARED_NAME };

#define FPS(rate) (10000000 / (rate))

static struct format formats[CODINGS] = {
	[MJPEG] = { .coding = MJPEG },
	[YUYV] = {
		.coding = YUYV,
		.sizes = 3,
		.size = {
			{ 640, 480, 2, { FPS(30), FPS(15) }, NULL },
			{ 1280, 720, 1, { FPS(10) }, NULL },
			{ 320, 240, 2, { FPS(30), FPS(15) }, NULL },
		},
	},
	[H264] = { .coding = H264 },
	[GREY] = {
		.coding = GREY,
		.function = INFRARED,
		.size = { { 640, 360, 2, { FPS(30), FPS(15) }, NULL } },
	},
};

static struct identity self;
static uint8_t device[18], configuration[2048];
static size_t configuration_size;

const struct format *format_number(unsigned function, unsigned number)
{
	for (unsigned i = 0; i < COUNT(formats); i++)
		if (formats[i].function == function && formats[i].sizes && !--number)
			return &formats[i];
	return NULL;
}

const struct frame_size *size_number(unsigned function, unsigned format, unsigned number)
{
	const struct format *f = format_number(function, format);

	return f && number >= 1 && number <= f->sizes ? &f->size[number - 1] : NULL;
}

unsigned function_count(void)
{
	return format_number(INFRARED, 1) ? FUNCTIONS : 1;
}

size_t packet_size(unsigned function)
{
	/* A high-speed bus carries both endpoints together. */
	return function == INFRARED ? 1024 : MAX_PACKET_SIZE;
}

size_t frame_bytes(const struct format *format, const struct frame_size *size)
{
	return size->width * size->height * (format->coding == GREY ? 1 : 2);
}

void offer_infrared(void)
{
	formats[GREY].sizes = 1;
}

void offer_pictures(enum coding coding, const struct pictures *pictures)
{
	struct format *format = &formats[coding];

	if (format->sizes == COUNT(format->size)) {
		fprintf(stderr, "usb-camera: more than %zu sizes\n", COUNT(format->size));
		exit(2);
	}
	format->size[format->sizes++] = (struct frame_size){
		pictures->width, pictures->height, 2, { FPS(30), FPS(15) }, pictures,
	};
}

static void append(const uint8_t *bytes, size_t size)
{
	if (configuration_size + size > sizeof configuration)
		abort();
	memcpy(configuration + configuration_size, bytes, size);
	configuration_size += size;
}

/* Appends a descriptor: its first byte, the length, is counted here. */
#define APPEND(...) append((const uint8_t[]){ sizeof((uint8_t[]){ 0, __VA_ARGS__ }), __VA_ARGS__ }, \
			   sizeof((uint8_t[]){ 0, __VA_ARGS__ }))

/* Fills in the total length of what was appended since `start`. */
static void close_group(size_t start, size_t field)
{
	memcpy(configuration + start + field, (uint8_t[]){ U16(configuration_size - start) }, 2);
}

static void append_sizes(const struct format *format)
{
	for (unsigned i = 0; i < format->sizes; i++) {
		const struct frame_size *s = &format->size[i];
		const uint32_t bytes = frame_bytes(format, s);
		const size_t start = configuration_size;

		if (format->coding == H264)
			APPEND(CLASS_INTERFACE, 0x11, i + 1, 0, U16(s->width), U16(s->height),
			       U32(bytes), U32(bytes * 30), U32(s->intervals[0]), s->rates, U32(0));
		else
			APPEND(CLASS_INTERFACE, format->coding == MJPEG ? 7 : 5, i + 1, 0,
			       U16(s->width), U16(s->height), U32(bytes * 8), U32(bytes * 8 * 30), U32(bytes),
			       U32(s->intervals[0]), s->rates);
		for (unsigned rate = 0; rate < s->rates; rate++)
			append((uint8_t[]){ U32(s->intervals[rate]) }, 4);
		configuration[start] = configuration_size - start;
	}
	/* Colours: primaries BT.709, transfer BT.709, matrix SMPTE 170M. */
	APPEND(CLASS_INTERFACE, 0x0d, 1, 1, 4);
}

/* The GUID of a format that has a code of four characters. */
#define GUID(a, b, c, d) a, b, c, d, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71

static void append_formats(unsigned function)
{
	const struct format *format;
	unsigned number = 0;

	while ((format = format_number(function, ++number))) {
		switch (format->coding) {
		case MJPEG:
			APPEND(CLASS_INTERFACE, 6, number, format->sizes, 1, 1, 0, 0, 0, 0);
			break;
		case H264:	/* frame-based, of variable size */
			APPEND(CLASS_INTERFACE, 0x10, number, format->sizes, GUID('H', '2', '6', '4'),
			       16, 1, 0, 0, 0, 0, 1);
			break;
		case GREY:
			APPEND(CLASS_INTERFACE, 4, number, format->sizes, GUID('Y', '8', '0', '0'),
			       8, 1, 0, 0, 0, 0);
			break;
		default:
			APPEND(CLASS_INTERFACE, 4, number, format->sizes, GUID('Y', 'U', 'Y', '2'),
			       16, 1, 0, 0, 0, 0);
		}
		append_sizes(format);
	}
}

/* Entities of the infrared function have no controls, and it has no status endpoint. */
static void append_video_control(unsigned function)
{
	const size_t start = configuration_size + 9;
	const bool has_controls = function == COLOUR;
	const uint32_t camera_bits = has_controls ? control_bits(CAMERA_TERMINAL) : 0;
	const uint32_t picture_bits = has_controls ? control_bits(PROCESSING_UNIT) : 0;

	APPEND(INTERFACE, function * INTERFACES + VIDEO_CONTROL, 0, has_controls, VIDEO_CLASS, 1, 0, names[function]);
	APPEND(CLASS_INTERFACE, 1, U16(0x0110), U16(0), U32(48000000), 1, function * INTERFACES + VIDEO_STREAMING);
	/* The focal lengths are those of the zoom: 1 to 4 times. */
	APPEND(CLASS_INTERFACE, 2, CAMERA_TERMINAL, U16(0x0201), 0, NO_STRING, U16(100), U16(400), U16(100),
	       3, U16(camera_bits), U8(camera_bits >> 16));
	APPEND(CLASS_INTERFACE, 5, PROCESSING_UNIT, CAMERA_TERMINAL, U16(0), 2, U16(picture_bits), NO_STRING, 0);
	APPEND(CLASS_INTERFACE, 3, OUTPUT_TERMINAL, U16(0x0101), 0, PROCESSING_UNIT, NO_STRING);
	close_group(start, 5);
	if (!has_controls)
		return;
	/* The status endpoint, which is asked every 16 ms. */
	APPEND(ENDPOINT, INPUT | STATUS_ENDPOINT, 3, U16(REPORT_SIZE), 8);
	APPEND(CLASS_ENDPOINT, 3, U16(REPORT_SIZE));
}

/* The streaming interface has no endpoint until an alternate setting is chosen. */
static void append_video_streaming(unsigned function)
{
	const size_t start = configuration_size + 9;
	const unsigned interface = function * INTERFACES + VIDEO_STREAMING;
	const unsigned endpoint = INPUT | (VIDEO_ENDPOINT + function);
	const uint8_t per_format[CODINGS] = { 0 };
	unsigned format_count = 0;

	while (format_number(function, format_count + 1))
		format_count++;
	APPEND(INTERFACE, interface, 0, 0, VIDEO_CLASS, 2, 0, NO_STRING);
	APPEND(CLASS_INTERFACE, 1, format_count, U16(0), endpoint, 0, OUTPUT_TERMINAL, 0, 0, 0, 1);
	append(per_format, format_count);
	configuration[start] += format_count;
	append_formats(function);
	close_group(start, 4);
	for (unsigned packets = 1; packets * 1024 <= packet_size(function); packets += 2) {
		APPEND(INTERFACE, interface, (packets + 1) / 2, 1, VIDEO_CLASS, 2, 0, NO_STRING);
		APPEND(ENDPOINT, endpoint, 5, U16((packets - 1) << 11 | 1024), 1);	/* 1 or 3 in a microframe */
	}
}

void build_descriptors(const struct identity *identity)
{
	self = *identity;
	/* Linux Foundation's number for a webcam made of software. */
	memcpy(device, (uint8_t[]){ 18, DEVICE, U16(0x0200), 0xef, 2, 1, 64, U16(0x1d6b), U16(0x0102),
				    U16(0x0100), VENDOR, NAME, *self.serial ? SERIAL : NO_STRING, 1 }, 18);
	APPEND(CONFIGURATION, U16(0), function_count() * INTERFACES, 1, NO_STRING, 0x80, 250);
	for (unsigned function = 0; function < function_count(); function++) {
		APPEND(ASSOCIATION, function * INTERFACES, INTERFACES, VIDEO_CLASS, 3, 0, names[function]);
		append_video_control(function);
		append_video_streaming(function);
	}
	close_group(0, 2);
}

/* A string as USB has them, UTF-16; these are ASCII. Number 0 lists the languages. */
static size_t get_string(unsigned number, uint8_t *into, size_t room)
{
	const char *const texts[] = { NULL, "Camera Lab", self.name, self.serial, "Infrared" };
	size_t size = 2;

	if (number >= COUNT(texts))
		return 0;
	if (!number) {
		memcpy(into, (uint8_t[]){ 4, STRING, U16(0x0409) }, 4);
		return 4;
	}
	for (const char *text = texts[number]; *text && size + 2 <= room && size < 254; text++) {
		into[size++] = *text;
		into[size++] = 0;
	}
	into[0] = size;
	into[1] = STRING;
	return size;
}

size_t get_descriptor(unsigned type, unsigned index, uint8_t *into, size_t room)
{
	static const uint8_t qualifier[] = { 10, QUALIFIER, U16(0x0200), 0xef, 2, 1, 64, 1, 0 };

	switch (type) {
	case DEVICE:
		memcpy(into, device, sizeof device);
		return sizeof device;
	case CONFIGURATION:
		memcpy(into, configuration, configuration_size);
		return configuration_size;
	case STRING:
		return get_string(index, into, room);
	case QUALIFIER:
		memcpy(into, qualifier, sizeof qualifier);
		return sizeof qualifier;
	default:
		return 0;
	}
}
