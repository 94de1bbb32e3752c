/*
 * Process 1 of the camera lab's guest: makes a small machine around one command.
 *
 * The script `lab` names a folder of the host on the kernel's command line, as
 * pip_lab=FOLDER; the kernel hands such words to init as environment variables.
 * The folder holds (lists have a 0 behind every entry):
 *
 *   command         the command and its arguments, a list
 *   environment     its environment, a list
 *   folder          the folder to run it in
 *   user            UID:GID to run it as; empty: root
 *   timeout         seconds until it is ended; 0: never
 *   modules         a list: a kernel module and its parameters
 *   modules-folder  where these modules are, on the host
 *   programs-folder where usb-camera is, on the host
 *   shares          a list: folders of the host that can be written to
 *   input           what the command reads as its standard input (may be missing)
 *   terminal        rows and columns of the user's terminal; missing: there is none
 *
 * The answer goes into the file "status" in the same folder.
 */
#include "init.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

int command_output = -1, command_errors = -1;

_Noreturn void power_off(int status)
{
	int file = open(ORDERS "/status", O_WRONLY | O_CREAT | O_TRUNC, 0644);

	/* Without this file `lab` shows the console and exits with 125. */
	if (file < 0 || dprintf(file, "%d\n", status) < 0 || fsync(file))
		dprintf(STDERR_FILENO, "lab: cannot write the status: %s\n", strerror(errno));
	if (command_output >= 0)
		tcdrain(command_output);
	if (command_errors >= 0)
		tcdrain(command_errors);
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

_Noreturn void fail(const char *what, ...)
{
	const char *reason = strerror(errno);
	char text[512];
	va_list arguments;

	va_start(arguments, what);
	vsnprintf(text, sizeof text, what, arguments);
	va_end(arguments);
	dprintf(command_errors >= 0 ? command_errors : STDERR_FILENO,
		"lab: cannot %s: %s\n", text, reason);
	power_off(STATUS_LAB_FAILED);
}

/* Early messages go to the console, which `lab` keeps and shows on failure. */
static void open_early_console(void)
{
	int console;

	mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
	console = open("/dev/console", O_RDWR | O_NOCTTY);
	for (int target = 0; console >= 0 && target <= 2; target++)
		dup2(console, target);
	if (console > 2)
		close(console);
}

static void start_network(void)
{
	struct ifreq loopback = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (any < 0 || ioctl(any, SIOCSIFFLAGS, &loopback))
		fail("start the loopback network");
	close(any);
	sethostname("pip-lab", strlen("pip-lab"));
}

int main(void)
{
	const char *orders = getenv("pip_lab");

	umask(022);
	open_early_console();
	if (!orders) {
		errno = EINVAL;
		fail("find pip_lab= on the kernel's command line");
	}
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	enter_overlay(orders);
	mount_system();
	open_consoles();
	mount_shares();
	start_network();
	load_modules();
	power_off(run_command());
}
