/*
 * Sources: USB 2.0, 9.4 "Standard Device Requests"; USB Device Class Definition
 * for Video Devices 1.1, chapter 4.
 */
#include "camera.h"

#include <string.h>

enum { GET_STATUS = 0, CLEAR_FEATURE = 1, SET_FEATURE = 3, GET_DESCRIPTOR = 6,
       SET_CONFIGURATION = 9, SET_INTERFACE = 11 };
enum { SET_CUR = 0x01, GET_CUR = 0x81, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF };
enum { PROBE = 1, COMMIT = 2, PROBE_SIZE = 34, GET_AND_SET = 3 };
enum { STALL = -1 };

/* What the camera's controls are. A mode's step is the set of its legal values. */
struct control {
	uint8_t entity, selector, size;
	int32_t minimum, maximum, step, preset, value;
};
enum { EXPOSURE = 0x04, WHITE_BALANCE = 0x0a };
static struct control controls[] = {
	{ CAMERA_TERMINAL, 0x02, 1, 1, 8, 1 | 8, 8, 8 },	/* exposure: 1 manual, 8 automatic */
	{ CAMERA_TERMINAL, EXPOSURE, 4, 3, 2047, 1, 250, 250 },	/* exposure time, in 0.1 ms */
	{ PROCESSING_UNIT, WHITE_BALANCE, 2, 2800, 6500, 100, 4600, 4600 },	/* in kelvins */
	{ PROCESSING_UNIT, 0x0b, 1, 0, 1, 1, 1, 1 },		/* white balance is automatic */
	{ PROCESSING_UNIT, 0x02, 2, -64, 64, 1, 0, 0 },		/* brightness */
	{ PROCESSING_UNIT, 0x03, 2, 0, 95, 1, 32, 32 },		/* contrast */
	{ PROCESSING_UNIT, 0x07, 2, 0, 128, 1, 64, 64 },	/* saturation */
};

bool controls_stalled;
static uint8_t probe[PROBE_SIZE];

uint32_t u32_at(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void put_u32(uint8_t *bytes, uint32_t value)
{
	memcpy(bytes, (uint8_t[]){ U32(value) }, 4);
}

void settle_on(int exposure, int kelvins)
{
	for (size_t i = 0; i < COUNT(controls); i++)
		if (controls[i].entity == CAMERA_TERMINAL && controls[i].selector == EXPOSURE)
			controls[i].value = exposure;
		else if (controls[i].entity == PROCESSING_UNIT && controls[i].selector == WHITE_BALANCE)
			controls[i].value = kelvins;
}

/* Turns what the host asked for into what the camera can do: a legal size and rate. */
static void negotiate(const uint8_t *asked, size_t size)
{
	unsigned format = size > 2 && format_number(asked[2]) ? asked[2] : 1;
	unsigned number = size > 3 && size_number(format, asked[3]) ? asked[3] : 1;
	const struct frame_size *chosen = size_number(format, number);
	uint32_t wish = size >= 8 ? u32_at(asked + 4) : 0, interval = chosen->intervals[0];

	for (unsigned i = 0; i < chosen->rates; i++)
		if (wish >= chosen->intervals[i])
			interval = chosen->intervals[i];
	memset(probe, 0, sizeof probe);
	probe[0] = 1;						/* the interval is fixed */
	probe[2] = format;
	probe[3] = number;
	put_u32(probe + 4, interval);
	put_u32(probe + 18, chosen->width * chosen->height * 2);
	put_u32(probe + 22, PACKET_SIZE);
	put_u32(probe + 26, 48000000);
	probe[30] = 3;						/* frame ID and end of frame are marked */
}

static int streaming_request(unsigned selector, unsigned request, uint8_t *data, size_t size)
{
	/* The first question may come before the first answer was chosen. */
	if (!probe[2])
		negotiate(NULL, 0);
	switch (request) {
	case SET_CUR:
		negotiate(data, size);
		if (selector == COMMIT)				/* a probe leaves a running stream alone */
			set_mode(format_number(probe[2]), size_number(probe[2], probe[3]), u32_at(probe + 4));
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
		data[0] = GET_AND_SET;
		return 1;
	default:
		return STALL;
	}
}

static int set_control(struct control *control, const uint8_t *data, size_t size)
{
	uint8_t bytes[4] = { 0 };

	if (size < control->size)
		return STALL;
	memcpy(bytes, data, control->size);
	control->value = u32_at(bytes);
	if (control->size == 2)
		control->value = (int16_t)control->value;
	return size;
}

static int control_request(struct control *control, unsigned request, uint8_t *data, size_t size)
{
	int32_t answer;

	switch (request) {
	case SET_CUR: return set_control(control, data, size);
	case GET_CUR: answer = control->value; break;
	case GET_MIN: answer = control->minimum; break;
	case GET_MAX: answer = control->maximum; break;
	case GET_RES: answer = control->step; break;
	case GET_DEF: answer = control->preset; break;
	case GET_LEN:
		memcpy(data, (uint8_t[]){ U16(control->size) }, 2);
		return 2;
	case GET_INFO:
		data[0] = GET_AND_SET;
		return 1;
	default: return STALL;
	}
	put_u32(data, answer);
	return control->size;
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
		if (index == VIDEO_STREAMING && value)
			start_stream();
		else if (index == VIDEO_STREAMING)
			stop_stream();
		return 0;
	case SET_CONFIGURATION:
	case CLEAR_FEATURE:
	case SET_FEATURE:
		return 0;
	default:
		return STALL;
	}
}

int handle_request(const uint8_t setup[8], uint8_t *data, size_t size)
{
	const unsigned type = setup[0], request = setup[1], selector = setup[3];
	const unsigned interface = setup[4], entity = setup[5];
	const bool is_class_request = (type & 0x60) == 0x20, to_interface = (type & 0x1f) == 1;

	if ((type & 0x60) == 0)
		return standard_request(request, setup[2] | selector << 8, interface | entity << 8, data, size);
	if (controls_stalled || !is_class_request || !to_interface)
		return STALL;
	if (interface == VIDEO_STREAMING && (selector == PROBE || selector == COMMIT))
		return streaming_request(selector, request, data, size);
	for (size_t i = 0; i < COUNT(controls); i++)
		if (interface == VIDEO_CONTROL && controls[i].entity == entity && controls[i].selector == selector)
			return control_request(&controls[i], request, data, size);
	return STALL;
}
