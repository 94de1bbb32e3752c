/*
 * Sources: USB 2.0, 9.4 "Standard Device Requests"; USB Device Class Definition
 * for Video Devices 1.1, chapter 4.
 */
#include "camera.h"

#include <string.h>

enum { GET_STATUS = 0, CLEAR_FEATURE = 1, SET_FEATURE = 3, GET_DESCRIPTOR = 6,
       SET_CONFIGURATION = 9, SET_INTERFACE = 11 };
enum { PROBE = 1, COMMIT = 2, PROBE_SIZE = 34 };
enum { REQUEST_ERROR_CODE = 2 };			/* a control of the interface: entity 0 */
enum { STALL = -INVALID_REQUEST };

bool controls_stalled;
static uint8_t probes[FUNCTIONS][PROBE_SIZE];
static uint8_t request_error;				/* 0: the last request was fulfilled */

uint32_t u32_at(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void put_u32(uint8_t *bytes, uint32_t value)
{
	memcpy(bytes, (uint8_t[]){ U32(value) }, 4);
}

/* Turns what the host asked for into what the camera can do: a legal size and rate. */
static void negotiate(unsigned function, const uint8_t *asked, size_t size)
{
	uint8_t *const probe = probes[function];
	unsigned format = size > 2 && format_number(function, asked[2]) ? asked[2] : 1;
	unsigned number = size > 3 && size_number(function, format, asked[3]) ? asked[3] : 1;
	const struct frame_size *chosen = size_number(function, format, number);
	uint32_t wish = size >= 8 ? u32_at(asked + 4) : 0, interval = chosen->intervals[0];

	for (unsigned i = 0; i < chosen->rates; i++)
		if (wish >= chosen->intervals[i])
			interval = chosen->intervals[i];
	memset(probe, 0, PROBE_SIZE);
	probe[0] = 1;						/* the interval is fixed */
	probe[2] = format;
	probe[3] = number;
	put_u32(probe + 4, interval);
	put_u32(probe + 18, frame_bytes(format_number(function, format), chosen));
	put_u32(probe + 22, packet_size(function));
	put_u32(probe + 26, 48000000);
	probe[30] = 3;						/* frame ID and end of frame are marked */
}

static int streaming_request(unsigned function, unsigned selector, unsigned request, uint8_t *data, size_t size)
{
	const uint8_t *const probe = probes[function];

	/* The first question may come before the first answer was chosen. */
	if (!probe[2])
		negotiate(function, NULL, 0);
	switch (request) {
	case SET_CUR:
		negotiate(function, data, size);
		if (selector == COMMIT)				/* a probe leaves a running stream alone */
			set_mode(function, format_number(function, probe[2]),
				 size_number(function, probe[2], probe[3]), u32_at(probe + 4));
		return size;
	case GET_CUR:
	case GET_MIN:
	case GET_MAX:
	case GET_DEF:
		memcpy(data, probe, PROBE_SIZE);
		return PROBE_SIZE;
	case GET_LEN:
		memcpy(data, (uint8_t[]){ U16(PROBE_SIZE) }, 2);
		return 2;
	case GET_INFO:
		data[0] = CAN_GET | CAN_SET;
		return 1;
	default:
		return STALL;
	}
}

/* Why the last request ended with STALL. */
static int error_request(unsigned request, uint8_t *data)
{
	switch (request) {
	case GET_CUR:
		data[0] = request_error;
		return 1;
	case GET_INFO:
		data[0] = CAN_GET;
		return 1;
	default:
		return STALL;
	}
}

static int standard_request(unsigned request, unsigned value, unsigned index, uint8_t *data, size_t size)
{
	size_t found;

	switch (request) {
	case GET_DESCRIPTOR:
		found = get_descriptor(value >> 8, value & 255, data, size);
		return found ? (int)found : STALL;
	case GET_STATUS:
		memset(data, 0, 2);
		return 2;
	case SET_INTERFACE:
		if (index >= function_count() * INTERFACES)
			return STALL;
		if (index % INTERFACES == VIDEO_STREAMING && value)
			start_stream(index / INTERFACES);
		else if (index % INTERFACES == VIDEO_STREAMING)
			stop_stream(index / INTERFACES);
		return 0;
	case SET_CONFIGURATION:
	case CLEAR_FEATURE:
	case SET_FEATURE:
		return 0;
	default:
		return STALL;
	}
}

static int class_request(unsigned request, unsigned interface, unsigned entity, unsigned selector, uint8_t *data,
			 size_t size)
{
	const unsigned function = interface / INTERFACES;

	if (interface % INTERFACES == VIDEO_STREAMING && (selector == PROBE || selector == COMMIT))
		return streaming_request(function, selector, request, data, size);
	if (function == COLOUR && entity)
		return control_request(entity, selector, request, data, size);
	return -INVALID_CONTROL;
}

int handle_request(const uint8_t setup[8], uint8_t *data, size_t size)
{
	const unsigned type = setup[0], request = setup[1], selector = setup[3];
	const unsigned interface = setup[4], entity = setup[5];
	const bool is_class_request = (type & 0x60) == 0x20, to_interface = (type & 0x1f) == 1;
	int moved;

	if ((type & 0x60) == 0)
		return standard_request(request, setup[2] | selector << 8, interface | entity << 8, data, size);
	if (controls_stalled || !is_class_request || !to_interface || interface >= function_count() * INTERFACES)
		return STALL;
	if (interface % INTERFACES == VIDEO_CONTROL && !entity && selector == REQUEST_ERROR_CODE)
		return error_request(request, data);
	moved = class_request(request, interface, entity, selector, data, size);
	request_error = moved < 0 ? -moved : 0;
	return moved;
}
