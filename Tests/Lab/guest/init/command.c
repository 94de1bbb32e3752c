#include "init.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL	/* in nanoseconds */
/* How long a command that was told to end may take before it is killed. */
#define GRACE (5 * SECOND)

static int has_terminal;

/* A console as a plain pipe for bytes: no echo, no line ends changed. */
static int open_raw(const char *path)
{
	struct termios line;
	int console = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (console < 0 || tcgetattr(console, &line))
		fail("open %s", path);
	cfmakeraw(&line);
	if (tcsetattr(console, TCSANOW, &line))
		fail("set up %s", path);
	return console;
}

void open_consoles(void)
{
	has_terminal = access(ORDERS "/terminal", F_OK) == 0;
	if (has_terminal) {
		command_errors = open("/dev/tty0", O_RDWR | O_NOCTTY | O_CLOEXEC);
	} else {
		command_output = open_raw("/dev/tty1");
		command_errors = open_raw("/dev/tty2");
	}
}

/* Splits at blanks, in place; leaves out words that `words` has no room for. */
static void split(char *text, char **words, size_t room)
{
	size_t count = 0;

	for (char *word; (word = strsep(&text, " \t\n"));)
		if (*word && count + 1 < room)
			words[count++] = word;
	words[count] = NULL;
}

void load_modules(void)
{
	for (char **module = order_list("modules"); *module; module++) {
		char *words[64] = { "modprobe" };
		int status = 0;
		pid_t child;

		split(*module, words + 1, sizeof words / sizeof *words - 1);
		child = fork();
		if (!child) {
			dup2(command_errors, STDOUT_FILENO);
			dup2(command_errors, STDERR_FILENO);
			execvp(words[0], words);
			dprintf(STDERR_FILENO, "lab: cannot run modprobe: %s\n", strerror(errno));
			_exit(1);
		}
		if (child < 0 || waitpid(child, &status, 0) != child)
			fail("run modprobe");
		if (status) {
			errno = EINVAL;
			fail("load the module %s", words[1] ? words[1] : "without a name");
		}
	}
}

/* Gives the command its standard streams, and its controlling terminal if there is one. */
static void connect_streams(void)
{
	struct winsize size = { 0 };
	int input;

	setsid();
	if (has_terminal) {
		input = open("/dev/tty0", O_RDWR | O_NOCTTY);
		sscanf(order("terminal", NULL), "%hu %hu", &size.ws_row, &size.ws_col);
		ioctl(input, TIOCSWINSZ, &size);
		ioctl(input, TIOCSCTTY, 0);
		dup2(input, STDOUT_FILENO);
		dup2(input, STDERR_FILENO);
	} else {
		input = open(ORDERS "/input", O_RDONLY);
		if (input < 0)
			input = open("/dev/null", O_RDONLY);
		dup2(command_output, STDOUT_FILENO);
		dup2(command_errors, STDERR_FILENO);
	}
	dup2(input, STDIN_FILENO);
	if (input > STDERR_FILENO)
		close(input);
}

static _Noreturn void become_command(char **command)
{
	const char *folder = order("folder", NULL);
	unsigned user, group;
	int other_user = sscanf(order("user", NULL), "%u:%u", &user, &group) == 2;
	int reason;

	environ = order_list("environment");
	connect_streams();
	if (chdir(folder)) {
		dprintf(STDERR_FILENO, "lab: cannot enter %s: %s\n", folder, strerror(errno));
		_exit(STATUS_LAB_FAILED);
	}
	if (other_user && (setgroups(0, NULL) || setgid(group) || setuid(user))) {
		dprintf(STDERR_FILENO, "lab: cannot become user %u: %s\n", user, strerror(errno));
		_exit(STATUS_LAB_FAILED);
	}
	execvp(command[0], command);
	reason = errno;
	dprintf(STDERR_FILENO, "lab: cannot run %s: %s\n", command[0], strerror(reason));
	_exit(reason == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_RUNNABLE);
}

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

/* Waits for the command, and as process 1 must for all orphans; false when `until` came first. */
static int wait_for(pid_t command, const sigset_t *child_signal, long long until, int *status)
{
	for (;;) {
		long long rest;
		int how;

		for (pid_t ended; (ended = waitpid(-1, &how, WNOHANG)) > 0;)
			if (ended == command) {
				*status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
				return 1;
			}
		rest = until - now();
		if (rest <= 0)
			return 0;
		sigtimedwait(child_signal, NULL, &(struct timespec){ rest / SECOND, rest % SECOND });
	}
}

int run_command(void)
{
	char **command = order_list("command");
	int timeout = atoi(order("timeout", NULL)), status;
	long long end;
	sigset_t child_signal, before;
	pid_t child;

	if (!command[0]) {
		errno = EINVAL;
		fail("run an empty command");
	}
	/* SIGCHLD is blocked, so that it stays pending from fork to sigtimedwait. */
	sigemptyset(&child_signal);
	sigaddset(&child_signal, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child_signal, &before);
	end = timeout ? now() + timeout * SECOND : LLONG_MAX;
	child = fork();
	if (child < 0)
		fail("start the command");
	if (!child) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		become_command(command);
	}
	if (wait_for(child, &child_signal, end, &status))
		return status;
	dprintf(command_errors, "lab: timed out after %d s\n", timeout);
	kill(-1, SIGTERM);
	if (!wait_for(child, &child_signal, now() + GRACE, &status)) {
		kill(-1, SIGKILL);
		wait_for(child, &child_signal, LLONG_MAX, &status);
	}
	return STATUS_TIMED_OUT;
}
