// SPDX-License-Identifier: GPL-2.0
/*
 * pip_port: a place on the board for the virtual USB controller.
 *
 *   modprobe vhci-hcd; modprobe pip_port
 *
 * libcamera names a USB camera by the controller's path in the firmware's
 * description of the board. Controllers of real machines have one, in
 * /sys/…/firmware_node/path; vhci_hcd.0 gets it here.
 */
#include <linux/device.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/platform_device.h>

static struct device *controller;
static struct kobject *node;

static ssize_t path_show(struct kobject *kobj, struct kobj_attribute *attribute, char *text)
{
	return sysfs_emit(text, "\\_SB_.PCI0.XHC_\n");
}

static struct kobj_attribute path = __ATTR_RO(path);

static int __init pip_port_init(void)
{
	int error = -ENODEV;

	controller = bus_find_device_by_name(&platform_bus_type, NULL, "vhci_hcd.0");
	if (!controller)
		return error;
	node = kobject_create_and_add("pip_port", &controller->kobj);
	error = node ? sysfs_create_file(node, &path.attr) : -ENOMEM;
	if (!error)
		error = sysfs_create_link(&controller->kobj, node, "firmware_node");
	if (error) {
		kobject_put(node);
		put_device(controller);
	}
	return error;
}

static void __exit pip_port_exit(void)
{
	sysfs_remove_link(&controller->kobj, "firmware_node");
	kobject_put(node);
	put_device(controller);
}

module_init(pip_port_init);
module_exit(pip_port_exit);
MODULE_DESCRIPTION("A place on the board for the virtual USB controller");
MODULE_LICENSE("GPL");
