// SPDX-License-Identifier: GPL-2.0
/*
 * pip_thermal: a thermal zone with trip points, as hot as a test says.
 *
 *   modprobe pip_thermal [type=NAME] [temperature=45000]
 *                        [passive=80000] [hot=95000] [critical=105000]
 *   echo 96000 >/sys/module/pip_thermal/parameters/temperature
 *
 * All temperatures are in millidegrees Celsius. The trips can be moved at run
 * time through /sys/class/thermal. A temperature may also be "error", which
 * makes reading the zone fail, as a sensor that went away does. The critical
 * trip is only logged: the kernel's default would power the guest off.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/thermal.h>

#define NO_READING INT_MIN
#define HYSTERESIS 2000
#define POLLING_MS 100

static char *type = "x86_pkg_temp";
module_param(type, charp, 0444);

static int passive = 80000;
module_param(passive, int, 0444);
static int hot = 95000;
module_param(hot, int, 0444);
static int critical = 105000;
module_param(critical, int, 0444);

static int temperature = 45000;
static struct thermal_zone_device *zone;
static struct thermal_trip trips[] = {
	{ .type = THERMAL_TRIP_PASSIVE, .hysteresis = HYSTERESIS },
	{ .type = THERMAL_TRIP_HOT, .hysteresis = HYSTERESIS },
	{ .type = THERMAL_TRIP_CRITICAL, .hysteresis = HYSTERESIS },
};

static int set_temperature(const char *text, const struct kernel_param *param)
{
	int value = NO_READING, error;

	if (!sysfs_streq(text, "error")) {
		error = kstrtoint(text, 0, &value);
		if (error)
			return error;
	}
	WRITE_ONCE(temperature, value);
	/* Before init there is no zone yet: this was a module parameter. */
	if (zone)
		thermal_zone_device_update(zone, THERMAL_EVENT_TEMP_SAMPLE);
	return 0;
}

static const struct kernel_param_ops temperature_ops = {
	.set = set_temperature,
	.get = param_get_int,
};
module_param_cb(temperature, &temperature_ops, &temperature, 0644);

static int zone_temperature(struct thermal_zone_device *tz, int *value)
{
	*value = READ_ONCE(temperature);
	return *value == NO_READING ? -ENODATA : 0;
}

static int trip_type(struct thermal_zone_device *tz, int trip,
		     enum thermal_trip_type *value)
{
	*value = trips[trip].type;
	return 0;
}

static int trip_temperature(struct thermal_zone_device *tz, int trip, int *value)
{
	*value = trips[trip].temperature;
	return 0;
}

static int move_trip(struct thermal_zone_device *tz, int trip, int value)
{
	trips[trip].temperature = value;
	return 0;
}

static int trip_hysteresis(struct thermal_zone_device *tz, int trip, int *value)
{
	*value = trips[trip].hysteresis;
	return 0;
}

static void too_hot(struct thermal_zone_device *tz)
{
	pr_warn_ratelimited("pip_thermal: critical at %d\n", temperature);
}

static struct thermal_zone_device_ops zone_ops = {
	.get_temp = zone_temperature,
	.get_trip_type = trip_type,
	.get_trip_temp = trip_temperature,
	.set_trip_temp = move_trip,
	.get_trip_hyst = trip_hysteresis,
	.critical = too_hot,
};

static int __init pip_thermal_init(void)
{
	const int count = ARRAY_SIZE(trips), all_writable = BIT(count) - 1;
	struct thermal_zone_device *new;
	int error;

	trips[0].temperature = passive;
	trips[1].temperature = hot;
	trips[2].temperature = critical;
	new = thermal_zone_device_register(type, count, all_writable, NULL,
					   &zone_ops, NULL, POLLING_MS, POLLING_MS);
	if (IS_ERR(new))
		return PTR_ERR(new);
	error = thermal_zone_device_enable(new);
	if (error)
		thermal_zone_device_unregister(new);
	else
		zone = new;
	return error;
}

static void __exit pip_thermal_exit(void)
{
	struct thermal_zone_device *old = zone;

	zone = NULL;
	thermal_zone_device_unregister(old);
}

module_init(pip_thermal_init);
module_exit(pip_thermal_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A thermal zone as hot as a test says");
