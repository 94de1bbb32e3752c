/* Process 1 of the camera lab's guest. See main.c for what it does and in which order. */
#ifndef PIP_LAB_INIT_H
#define PIP_LAB_INIT_H

#include <stddef.h>

/* Where the guest finds the folder that the script `lab` filled for it. */
#define ORDERS "/run/pip-lab"
/* Where the command finds usb-camera; `lab` puts it into the PATH. */
#define PROGRAMS "/run/pip-lab-programs"

/* What `lab` itself answers; everything else is the command's own status. */
enum {
	STATUS_TIMED_OUT = 124,
	STATUS_LAB_FAILED = 125,
	STATUS_NOT_RUNNABLE = 126,
	STATUS_NOT_FOUND = 127,
};

/* Console lines of the guest; -1 until they are open. See open_consoles. */
extern int command_output, command_errors;

/* main.c */

/* Leaves the status for `lab` and switches the guest off. */
_Noreturn void power_off(int status);
/* The same with status 125, after "lab: cannot WHAT: reason from errno". */
_Noreturn void fail(const char *what, ...) __attribute__((format(printf, 1, 2)));

/* files.c: what `lab` wrote, read from the folder ORDERS */

/* A file's content with a 0 behind it, and its size if asked for; "" if there is none. */
char *order(const char *name, size_t *size);
/* The same for a list of entries that each end with 0; the result ends with NULL. */
char **order_list(const char *name);

/* mounts.c */

/* Replaces the read-only root, the host's, by itself under a memory overlay. */
void enter_overlay(const char *orders_on_host);
/* Mounts /proc, /sys, /dev and what else a program expects to find. */
void mount_system(void);
/* Mounts the folders of the host that the command may write to, modules and programs. */
void mount_shares(void);

/* command.c */

/* Opens the lines that carry the command's output, or the user's terminal. */
void open_consoles(void);
/* Loads the modules asked for, in order. */
void load_modules(void);
/* Runs the command and returns what `lab` shall exit with. */
int run_command(void);

#endif
