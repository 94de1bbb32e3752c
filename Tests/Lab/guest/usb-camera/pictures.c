#include "camera.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOI = 0xd8, EOI = 0xd9, SOS = 0xda };

static _Noreturn void refuse(const char *path, const char *why)
{
	fprintf(stderr, "usb-camera: %s: %s\n", path, why);
	exit(1);
}

/* The marker segments that describe a frame: SOF0 to SOF15 without DHT, JPG and DAC. */
static bool is_frame_header(uint8_t marker)
{
	return (marker & 0xf0) == 0xc0 && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/*
 * Walks the segments of the picture at `bytes` and returns its size, 0 if it is
 * not whole. Inside the entropy-coded data a 0xff is followed by 0 or by a
 * restart marker, so the first other marker after it is a segment again.
 */
static size_t picture_size(const uint8_t *bytes, size_t left, struct pictures *pictures)
{
	size_t i = 2;

	if (left < 4 || bytes[0] != 0xff || bytes[1] != SOI)
		return 0;
	while (i + 4 <= left && bytes[i] == 0xff && bytes[i + 1] != EOI) {
		uint8_t marker = bytes[i + 1];

		if (is_frame_header(marker) && i + 9 <= left && !pictures->width) {
			pictures->height = bytes[i + 5] << 8 | bytes[i + 6];
			pictures->width = bytes[i + 7] << 8 | bytes[i + 8];
		}
		i += 2 + (bytes[i + 2] << 8 | bytes[i + 3]);
		if (marker == SOS)
			while (i + 1 < left && (bytes[i] != 0xff || !bytes[i + 1] ||
						(bytes[i + 1] & 0xf8) == 0xd0))
				i++;
	}
	return i + 2 <= left && bytes[i] == 0xff && bytes[i + 1] == EOI ? i + 2 : 0;
}

/* Maps a file into memory for ever. */
static struct pictures *map_file(const char *path, size_t *size)
{
	struct pictures *pictures = calloc(1, sizeof *pictures);
	struct stat info;
	int file = open(path, O_RDONLY | O_CLOEXEC);

	if (!pictures || file < 0 || fstat(file, &info))
		refuse(path, "cannot be read");
	pictures->bytes = mmap(NULL, info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (pictures->bytes == MAP_FAILED)
		refuse(path, "cannot be mapped");
	close(file);
	*size = info.st_size;
	return pictures;
}

static void add_picture(struct pictures *all, size_t at, size_t size)
{
	all->picture = realloc(all->picture, (all->count + 1) * sizeof *all->picture);
	if (!all->picture)
		abort();
	all->picture[all->count].at = at;
	all->picture[all->count++].size = size;
}

struct pictures *read_jpegs(const char *path)
{
	size_t length;
	struct pictures *all = map_file(path, &length);

	for (size_t at = 0, size; (size = picture_size(all->bytes + at, length - at, all)); at += size)
		add_picture(all, at, size);
	if (!all->count || !all->width || !all->height)
		refuse(path, "does not begin with a whole JPEG picture");
	return all;
}

/* Where the next access unit begins at or behind `from`, or the end. */
static size_t next_access_unit(const uint8_t *bytes, size_t from, size_t length)
{
	/* A start code, which a zero may precede, and the NAL unit type 9. */
	static const uint8_t delimiter[] = { 0, 0, 1, 9 };
	const uint8_t *found = from < length ? memmem(bytes + from, length - from, delimiter, sizeof delimiter) : NULL;

	if (!found)
		return length;
	return found - bytes - (found > bytes + from && !found[-1]);
}

struct pictures *read_access_units(const char *path, uint16_t width, uint16_t height)
{
	size_t length;
	struct pictures *all = map_file(path, &length);

	for (size_t at = next_access_unit(all->bytes, 0, length), next; at < length; at = next) {
		next = next_access_unit(all->bytes, at + 4, length);
		add_picture(all, at, next - at);
	}
	if (!all->count)
		refuse(path, "has no access unit delimiter of H.264");
	all->width = width;
	all->height = height;
	return all;
}
