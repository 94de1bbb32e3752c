#include "init.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *order(const char *name, size_t *size)
{
	size_t used = 0, room = 0;
	char path[256], *text = NULL;
	ssize_t count = 0;
	int file;

	snprintf(path, sizeof path, ORDERS "/%s", name);
	file = open(path, O_RDONLY | O_CLOEXEC);
	do {
		used += count;
		if (room - used < 4096 + 1) {
			room = room ? 2 * room : 16384;
			text = realloc(text, room);
			if (!text)
				fail("keep %s in memory", path);
		}
		count = file < 0 ? 0 : read(file, text + used, room - used - 1);
		if (count < 0)
			fail("read %s", path);
	} while (count > 0);
	if (file >= 0)
		close(file);
	text[used] = 0;
	if (size)
		*size = used;
	return text;
}

char **order_list(const char *name)
{
	size_t size, count = 0;
	char *text = order(name, &size), **list;

	for (size_t i = 0; i < size; i++)
		count += text[i] == 0;
	list = calloc(count + 1, sizeof *list);
	if (!list)
		fail("keep %s in memory", name);
	for (size_t i = 0; i < count; i++) {
		list[i] = text;
		text += strlen(text) + 1;
	}
	return list;
}
