#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <net/if.h>
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

int pip_can_open(const char *interface, const struct can_filter *filters, size_t count)
{
	struct sockaddr_can address = { .can_family = AF_CAN };
	can_err_mask_t errors = CAN_ERR_BUSOFF;
	int on = 1, bus, error = 0;
	socklen_t size = sizeof error;

	bus = socket(AF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW);
	if (bus < 0)
		return -errno;
	address.can_ifindex = (int)if_nametoindex(interface);
	/* Messages of CAN FD are an extra: a bus without them refuses nothing. */
	setsockopt(bus, SOL_CAN_RAW, CAN_RAW_FD_FRAMES, &on, sizeof on);
	if (address.can_ifindex != 0 &&
	    setsockopt(bus, SOL_CAN_RAW, CAN_RAW_FILTER, filters, count * sizeof *filters) == 0 &&
	    setsockopt(bus, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &errors, sizeof errors) == 0 &&
	    bind(bus, (struct sockaddr *)&address, sizeof address) == 0 &&
	    /* A bus that is down is bound, too, and tells ENETDOWN in this way. */
	    getsockopt(bus, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0)
		return bus;
	if (error == 0)
		error = errno;
	close(bus);
	return -error;
}
