#include "init.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Any folder that every Debian has and nobody needs while the root is changed. */
#define STAGE "/mnt"

/* Creates a folder and those above it; what is there already stays. */
static void make_folder(const char *path)
{
	char part[PATH_MAX];
	size_t length = strnlen(path, sizeof part - 1);

	for (size_t i = 1; i <= length; i++)
		if (path[i] == '/' || i == length) {
			memcpy(part, path, i);
			part[i] = 0;
			mkdir(part, 0755);
		}
}

static void mount_at(const char *where, const char *type, unsigned long flags,
		     const char *options)
{
	make_folder(where);
	if (mount(type, where, type, flags, options))
		fail("mount %s on %s", type, where);
}

void enter_overlay(const char *orders_on_host)
{
	mount_at(STAGE, "tmpfs", 0, "mode=755");
	make_folder(STAGE "/changes");
	make_folder(STAGE "/scratch");
	mount_at(STAGE "/root", "overlay", 0,
		 "lowerdir=/,upperdir=" STAGE "/changes,workdir=" STAGE "/scratch");
	mount_at(STAGE "/root/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755");
	mount_at(STAGE "/root" ORDERS, "hostfs", MS_NOSUID | MS_NODEV, orders_on_host);

	/* With the same folder for both arguments the old root lies on top of the
	   new one until it is unmounted: see pivot_root(2). */
	if (chdir(STAGE "/root") || syscall(SYS_pivot_root, ".", ".") ||
	    umount2(".", MNT_DETACH) || chdir("/"))
		fail("change the root");
}

void mount_system(void)
{
	static const char *const links[][2] = {
		{ "/proc/self/fd", "/dev/fd" },
		{ "/proc/self/fd/0", "/dev/stdin" },
		{ "/proc/self/fd/1", "/dev/stdout" },
		{ "/proc/self/fd/2", "/dev/stderr" },
	};
	const unsigned long data_only = MS_NOSUID | MS_NODEV | MS_NOEXEC;

	mount_at("/proc", "proc", data_only, NULL);
	mount_at("/sys", "sysfs", data_only, NULL);
	mount_at("/sys/fs/cgroup", "cgroup2", data_only, NULL);
	mount_at("/sys/kernel/config", "configfs", data_only, NULL);
	mount_at("/sys/kernel/debug", "debugfs", data_only, NULL);
	mount_at("/dev", "devtmpfs", MS_NOSUID, NULL);
	mount_at("/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "mode=620,ptmxmode=666");
	mount_at("/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (symlink(links[i][0], links[i][1]))
			fail("make the link %s", links[i][1]);
}

void mount_shares(void)
{
	/* Not a bind mount: the cache may lie where the guest has a mount of its own. */
	mount_at("/lib/modules", "hostfs", MS_NOSUID | MS_NODEV, order("modules-folder", NULL));
	mount_at(PROGRAMS, "hostfs", MS_NOSUID | MS_NODEV, order("programs-folder", NULL));
	for (char **share = order_list("shares"); *share; share++)
		mount_at(*share, "hostfs", MS_NOSUID | MS_NODEV, *share);
}
