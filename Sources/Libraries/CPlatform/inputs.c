#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

int pip_keys_present(int device, uint8_t *bits, size_t size)
{
	int count = ioctl(device, EVIOCGBIT(EV_KEY, size), bits);

	return count < 0 ? -errno : count;
}

int pip_keys_select(int device, const uint8_t *bits, size_t size)
{
	int clock = CLOCK_MONOTONIC;
	/* The codes of the type 0, EV_SYN, are the types themselves. The kernel takes masks of whole words only. */
	unsigned long type = 1 << EV_KEY;
	struct input_mask types = { .type = EV_SYN, .codes_size = sizeof type, .codes_ptr = (uintptr_t)&type };
	struct input_mask keys = { .type = EV_KEY, .codes_size = (uint32_t)size, .codes_ptr = (uintptr_t)bits };

	if (ioctl(device, EVIOCSCLOCKID, &clock) < 0)
		return -errno;
	if (ioctl(device, EVIOCSMASK, &keys) == 0)
		ioctl(device, EVIOCSMASK, &types);
	return 0;
}

int pip_keys_grab(int device) { return ioctl(device, EVIOCGRAB, (void *)1) < 0 ? -errno : 0; }

int pip_gpio_chip(int chip, struct gpiochip_info *info)
{
	return ioctl(chip, GPIO_GET_CHIPINFO_IOCTL, info) < 0 ? -errno : 0;
}

int pip_gpio_line(int chip, uint32_t line, struct gpio_v2_line_info *info)
{
	memset(info, 0, sizeof *info);
	info->offset = line;
	return ioctl(chip, GPIO_V2_GET_LINEINFO_IOCTL, info) < 0 ? -errno : 0;
}

int pip_gpio_request(int chip, uint32_t line, uint64_t flags, uint32_t debounce)
{
	struct gpio_v2_line_request request = { .offsets = { line }, .consumer = "pip-compose", .num_lines = 1 };

	request.config.flags = flags;
	if (debounce > 0) {
		request.config.num_attrs = 1;
		request.config.attrs[0].mask = 1;
		request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
		request.config.attrs[0].attr.debounce_period_us = debounce;
	}
	if (ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) < 0)
		return -errno;
	/* The kernel opens it close-on-exec. */
	fcntl(request.fd, F_SETFL, fcntl(request.fd, F_GETFL) | O_NONBLOCK);
	return request.fd;
}
