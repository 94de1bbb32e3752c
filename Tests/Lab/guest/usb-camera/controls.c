/*
 * Sources: USB Device Class Definition for Video Devices 1.1, 4.2.2 "Unit and
 * Terminal Control Requests" and 2.4.2.2 "Status Interrupt Endpoint".
 */
#include "camera.h"

#include <string.h>

/* What a control's GET_INFO says. Who changes it: the host, the camera, or both. */
enum { AUTO_UPDATE = 8, ASYNCHRONOUS = 16 };
enum { HOST = CAN_GET | CAN_SET, CAMERA = CAN_GET | AUTO_UPDATE | ASYNCHRONOUS, BOTH = HOST | CAMERA };

/* A control, or one of two numbers that are one control to USB: these are neighbours. */
struct control {
	const char *name;				/* the driver's, as v4l2-ctl prints it */
	uint8_t entity, bit, selector;
	uint8_t at, size;				/* its bytes in a request's data */
	uint8_t info;
	int32_t minimum, maximum, step, preset, value;
	bool has_news;					/* which the host has not been told */
};

enum { AUTO_EXPOSURE, DYNAMIC_FRAMERATE, EXPOSURE_TIME, WHITE_BALANCE, OTHERS };
static struct control controls[] = {
	/* The step of the exposure's mode is the set of its values: 1 manual, 8 automatic. */
	[AUTO_EXPOSURE] = { "auto_exposure", CAMERA_TERMINAL, 1, 0x02, 0, 1, HOST, 1, 8, 1 | 8, 8, 8, 0 },
	/* Webcams come with the dynamic frame rate on, and say that off is the default. */
	[DYNAMIC_FRAMERATE] = { "exposure_dynamic_framerate", CAMERA_TERMINAL, 2, 0x03, 0, 1, HOST, 0, 1, 1, 0, 1, 0 },
	/* In 0.1 ms, and in kelvins. */
	[EXPOSURE_TIME] = { "exposure_time_absolute", CAMERA_TERMINAL, 3, 0x04, 0, 4, BOTH, 3, 2047, 1, 250, 250, 0 },
	[WHITE_BALANCE] = { "white_balance_temperature", PROCESSING_UNIT, 6, 0x0a, 0, 2, BOTH, 2800, 6500, 100, 4600,
			    4600, 0 },
	[OTHERS] =
	{ "white_balance_automatic", PROCESSING_UNIT, 12, 0x0b, 0, 1, HOST, 0, 1, 1, 1, 1, 0 },
	{ "focus_absolute", CAMERA_TERMINAL, 5, 0x06, 0, 2, BOTH, 0, 250, 5, 0, 30, 0 },
	{ "focus_automatic_continuous", CAMERA_TERMINAL, 17, 0x08, 0, 1, HOST, 0, 1, 1, 1, 1, 0 },
	{ "zoom_absolute", CAMERA_TERMINAL, 9, 0x0b, 0, 2, BOTH, 100, 400, 1, 100, 100, 0 },
	/* In seconds of arc. */
	{ "pan_absolute", CAMERA_TERMINAL, 11, 0x0d, 0, 4, BOTH, -36000, 36000, 3600, 0, 0, 0 },
	{ "tilt_absolute", CAMERA_TERMINAL, 11, 0x0d, 4, 4, BOTH, -36000, 36000, 3600, 0, 0, 0 },
	{ "privacy", CAMERA_TERMINAL, 18, 0x11, 0, 1, CAMERA, 0, 1, 1, 0, 0, 0 },
	{ "brightness", PROCESSING_UNIT, 0, 0x02, 0, 2, HOST, -64, 64, 1, 0, 0, 0 },
	{ "contrast", PROCESSING_UNIT, 1, 0x03, 0, 2, HOST, 0, 95, 1, 32, 32, 0 },
	{ "saturation", PROCESSING_UNIT, 3, 0x07, 0, 2, HOST, 0, 128, 1, 64, 64, 0 },
	{ "backlight_compensation", PROCESSING_UNIT, 8, 0x01, 0, 2, HOST, 0, 2, 1, 1, 1, 0 },
	{ "gain", PROCESSING_UNIT, 9, 0x04, 0, 2, BOTH, 0, 100, 1, 0, 0, 0 },
	/* 0 off, 1 50 Hz, 2 60 Hz. */
	{ "power_line_frequency", PROCESSING_UNIT, 10, 0x05, 0, 1, HOST, 0, 2, 1, 1, 1, 0 },
};

bool is_dark;
static const struct control *stalled;

/* What a request is for: one control, or two numbers of one. */
struct group {
	struct control *first;
	size_t count;
};

static struct group find_group(unsigned entity, unsigned selector)
{
	struct group group = { NULL, 0 };

	for (size_t i = 0; i < COUNT(controls); i++)
		if (controls[i].entity == entity && controls[i].selector == selector) {
			if (!group.first)
				group.first = &controls[i];
			group.count++;
		}
	return group;
}

static struct control *find_name(const char *name)
{
	for (size_t i = 0; i < COUNT(controls); i++)
		if (!strcmp(controls[i].name, name))
			return &controls[i];
	return NULL;
}

uint32_t control_bits(unsigned entity)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < COUNT(controls); i++)
		if (controls[i].entity == entity)
			bits |= 1u << controls[i].bit;
	return bits;
}

/* Automatics find values between the steps, too. */
static bool is_legal(const struct control *control, long value)
{
	if (control == &controls[AUTO_EXPOSURE] && !(value & control->step))
		return false;
	return value >= control->minimum && value <= control->maximum;
}

static int32_t value_in(const struct control *control, const uint8_t *data)
{
	uint8_t bytes[4] = { 0 };

	memcpy(bytes, data + control->at, control->size);
	return control->size == 2 ? (int16_t)u32_at(bytes) : (int32_t)u32_at(bytes);
}

static size_t size_of(struct group group)
{
	const struct control *last = &group.first[group.count - 1];

	return last->at + last->size;
}

/*
 * An exposure time is refused while exposure is automatic. A focus or a white
 * balance is not: in a batch the driver sets them before their automatic goes
 * off, since it goes by the bits of the descriptor.
 */
static int set_group(struct group group, const uint8_t *data, size_t size)
{
	if (!(group.first->info & CAN_SET))
		return -INVALID_REQUEST;
	if (stalled >= group.first && stalled < group.first + group.count)
		return -UNKNOWN_ERROR;
	if (group.first == &controls[EXPOSURE_TIME] && controls[AUTO_EXPOSURE].value != 1)
		return -WRONG_STATE;
	if (size < size_of(group))
		return -INVALID_REQUEST;
	for (size_t i = 0; i < group.count; i++)
		if (!is_legal(&group.first[i], value_in(&group.first[i], data)))
			return -OUT_OF_RANGE;
	for (size_t i = 0; i < group.count; i++) {
		struct control *control = &group.first[i];

		control->value = value_in(control, data);
		/* An asynchronous control says when it is where it was sent. */
		control->has_news = control->info & ASYNCHRONOUS;
	}
	return size;
}

static int get_group(struct group group, unsigned request, uint8_t *data)
{
	for (size_t i = 0; i < group.count; i++) {
		const struct control *control = &group.first[i];
		int32_t answer;

		switch (request) {
		case GET_CUR: answer = control->value; break;
		case GET_MIN: answer = control->minimum; break;
		case GET_MAX: answer = control->maximum; break;
		case GET_RES: answer = control->step; break;
		case GET_DEF: answer = control->preset; break;
		default: return -INVALID_REQUEST;
		}
		memcpy(data + control->at, (uint8_t[]){ U32(answer) }, control->size);
	}
	return size_of(group);
}

int control_request(unsigned entity, unsigned selector, unsigned request, uint8_t *data, size_t size)
{
	const struct group group = find_group(entity, selector);

	if (!group.count)
		return -INVALID_CONTROL;
	switch (request) {
	case SET_CUR:
		return set_group(group, data, size);
	case GET_LEN:
		memcpy(data, (uint8_t[]){ U16(size_of(group)) }, 2);
		return 2;
	case GET_INFO:
		data[0] = group.first->info;
		return 1;
	default:
		return get_group(group, request, data);
	}
}

void settle_on(int exposure, int kelvins)
{
	controls[EXPOSURE_TIME].value = exposure;
	controls[WHITE_BALANCE].value = kelvins;
}

bool exposure_halves_rate(void)
{
	return is_dark && controls[AUTO_EXPOSURE].value != 1 && controls[DYNAMIC_FRAMERATE].value;
}

bool change_control(const char *name, long value)
{
	struct control *control = find_name(name);

	if (!control || !(control->info & ASYNCHRONOUS) || !is_legal(control, value))
		return false;
	control->value = value;
	control->has_news = true;
	return true;
}

size_t next_report(uint8_t *into)
{
	enum { FROM_CONTROL_INTERFACE = 1, CONTROL_CHANGE = 0, VALUE = 0 };

	for (size_t i = 0; i < COUNT(controls); i++)
		if (controls[i].has_news) {
			const struct control *control = &controls[i];
			const struct group group = find_group(control->entity, control->selector);

			for (size_t member = 0; member < group.count; member++)
				group.first[member].has_news = false;
			memcpy(into, (uint8_t[]){ FROM_CONTROL_INTERFACE, control->entity, CONTROL_CHANGE,
						  control->selector, VALUE }, 5);
			return 5 + get_group(group, GET_CUR, into + 5);
		}
	return 0;
}

bool stall_control(const char *name)
{
	const struct control *const found = name ? find_name(name) : NULL;

	if (name && !found)
		return false;
	stalled = found;
	return true;
}
