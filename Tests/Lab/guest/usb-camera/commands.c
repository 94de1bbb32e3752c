#include "camera.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool hung;

/* Obeys a command of one word; false if there is no such. */
static bool obey_word(const char *word)
{
	if (!strcmp(word, "error"))
		faults.error = true;
	else if (!strcmp(word, "short"))
		faults.cut = true;
	else if (!strcmp(word, "drop"))
		faults.drop = true;
	else if (!strcmp(word, "freeze"))
		faults.frozen = true;
	else if (!strcmp(word, "thaw"))
		faults.frozen = false, restart_clock();
	else if (!strcmp(word, "stall"))
		controls_stalled = true;
	else if (!strcmp(word, "unstall"))
		controls_stalled = false, stall_control(NULL);
	else if (!strcmp(word, "dark"))
		is_dark = true;
	else if (!strcmp(word, "light"))
		is_dark = false;
	else if (!strcmp(word, "hang"))
		hung = true;
	else if (!strcmp(word, "unplug"))
		exit(0);
	else
		return false;
	return true;
}

static void obey(const char *command)
{
	char word[16], name[32], more;
	long value;
	const int count = sscanf(command, "%15s %31s %ld %c", word, name, &value, &more);
	bool obeyed = false;

	if (count == 1)
		obeyed = obey_word(word);
	else if (count == 2 && !strcmp(word, "stall"))
		obeyed = stall_control(name);
	else if (count == 3 && !strcmp(word, "set"))
		obeyed = change_control(name, value);
	if (!obeyed && *command)
		fprintf(stderr, "usb-camera: cannot obey: %s\n", command);
}

bool read_commands(void)
{
	static char line[64];
	static size_t used;
	char block[256];
	const ssize_t size = read(STDIN_FILENO, block, sizeof block);

	for (ssize_t i = 0; i < size; i++) {
		if (block[i] == '\n') {
			line[used] = 0;
			used = 0;
			obey(line);
		} else if (used < sizeof line - 1) {
			line[used++] = block[i];
		}
	}
	return size > 0 || (size < 0 && errno == EINTR);
}
