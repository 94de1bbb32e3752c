/* A USB camera made of software. See main.c for what it is. */
#ifndef PIP_LAB_USB_CAMERA_H
#define PIP_LAB_USB_CAMERA_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Values as USB sends them: the lowest byte first. */
#define U8(value) (uint8_t)(value)
#define U16(value) U8(value), U8((value) >> 8)
#define U32(value) U16(value), U16((value) >> 16)
#define SECOND 1000000000L				/* in nanoseconds */
#define COUNT(array) (sizeof(array) / sizeof *(array))

uint32_t u32_at(const uint8_t *bytes);
void put_u32(uint8_t *bytes, uint32_t value);

/* The most that a high-speed endpoint carries in a microframe of 125 us. */
#define MAX_PACKET_SIZE 3072

/* A camera of two sensors has two functions: to its driver they are two cameras. */
enum { COLOUR, INFRARED, FUNCTIONS };
/* A function's interfaces, behind those of the functions before it, and their entities. */
enum { VIDEO_CONTROL, VIDEO_STREAMING, INTERFACES };
enum { CAMERA_TERMINAL = 1, PROCESSING_UNIT, OUTPUT_TERMINAL };
/* Endpoints: a function's is the first one's plus its number. */
enum { VIDEO_ENDPOINT = 1, STATUS_ENDPOINT = VIDEO_ENDPOINT + FUNCTIONS };

/* pictures.c: files of pictures, one after the other */

struct pictures {
	const uint8_t *bytes;
	struct { size_t at, size; } *picture;
	size_t count;
	uint16_t width, height;
};

/* Reads the whole JPEG pictures at a file's start; ends the program with a message if there is none. */
struct pictures *read_jpegs(const char *path);
/* Reads H.264 in byte-stream format, in which each picture begins with an access unit delimiter. */
struct pictures *read_access_units(const char *path, uint16_t width, uint16_t height);

/* descriptors.c: what the camera says of itself */

struct frame_size {
	uint16_t width, height;
	uint8_t rates;				/* how many of: */
	uint32_t intervals[2];			/* in units of 100 ns, shortest first */
	const struct pictures *pictures;	/* NULL: drawn here */
};

enum coding { MJPEG, YUYV, H264, GREY, CODINGS };	/* in the order in which they are offered */

struct format {
	enum coding coding;
	unsigned function;
	uint8_t sizes;				/* 0: not offered */
	struct frame_size size[8];
};

struct identity {
	const char *name, *serial;		/* serial "": the camera has none */
};

/* Adds the size of the pictures; before build_descriptors. */
void offer_pictures(enum coding coding, const struct pictures *pictures);
/* Adds the function of the infrared sensor; before build_descriptors. */
void offer_infrared(void);
void build_descriptors(const struct identity *identity);
/* Finds the descriptor of this type and index; 0 bytes if there is none. */
size_t get_descriptor(unsigned type, unsigned index, uint8_t *into, size_t room);
/* Formats and sizes are numbered from 1; NULL when there is no such number. */
const struct format *format_number(unsigned function, unsigned number);
const struct frame_size *size_number(unsigned function, unsigned format, unsigned number);
unsigned function_count(void);
/* What a function's endpoint carries in a microframe. */
size_t packet_size(unsigned function);
/* The bytes of a frame that is not compressed, and more than those of one that is. */
size_t frame_bytes(const struct format *format, const struct frame_size *size);

/* requests.c: requests on endpoint 0 */

/* While set, every request to the camera (not to the device) ends with STALL. */
extern bool controls_stalled;

/* Handles a request; `data` comes or goes. Returns the bytes moved, or less than 0 for STALL. */
int handle_request(const uint8_t setup[8], uint8_t *data, size_t size);

/* controls.c: what can be set, by the host or by the camera itself */

enum { SET_CUR = 0x01, GET_CUR = 0x81, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF };
enum { CAN_GET = 1, CAN_SET = 2 };			/* the answer to GET_INFO */
/* Why a request ended with STALL, as the host may ask. */
enum { WRONG_STATE = 2, OUT_OF_RANGE = 4, INVALID_CONTROL = 6, INVALID_REQUEST = 7, UNKNOWN_ERROR = 0xff };

/* bmControls of an entity's descriptor. */
uint32_t control_bits(unsigned entity);
/* Like handle_request; less than 0 is one of the reasons, negated. */
int control_request(unsigned entity, unsigned selector, unsigned request, uint8_t *data, size_t size);

/* What automatic exposure (0.1 ms) and white balance (kelvins) have come to. */
void settle_on(int exposure, int kelvins);
/* Set by the command `dark`. */
extern bool is_dark;
/* Automatic exposure takes longer than a frame, and may: the frame rate halves. */
bool exposure_halves_rate(void);
/* The camera changes a control itself. False if there is none that it may, or not to this value. */
bool change_control(const char *name, long value);
/* The next report for the status endpoint: at most REPORT_SIZE bytes, 0 if there is no news. */
enum { REPORT_SIZE = 16 };
size_t next_report(uint8_t *into);

/* From now on SET_CUR of this control alone ends with STALL; NULL or an unknown name: of none. False if unknown. */
bool stall_control(const char *name);

/* stream.c: the picture data */

/* Faults for the next frame in colour, and silence of all functions until it is thawed. */
struct faults {
	bool error, cut, drop;
	bool frozen;
};
extern struct faults faults;

/* Sets size, format and rate for the next start; `interval` in units of 100 ns. */
void set_mode(unsigned function, const struct format *format, const struct frame_size *size, uint32_t interval);
void start_stream(unsigned function);
void stop_stream(unsigned function);
/* The camera is silent until now and goes on from here. */
void restart_clock(void);
/* Fills a packet for the host and returns its size. */
size_t fill_packet(unsigned function, uint8_t *packet, size_t room);
/* Starts the next frame if the last one is sent and it is time; true if there is something to send. */
bool frame_ready(unsigned function);
/* The nanoseconds until frame_ready may be true; NEVER while the function does not stream or the camera is frozen. */
#define NEVER LONG_MAX
long time_to_next_frame(unsigned function);

/* commands.c: lines on standard input */

/* Set by the command `hang`: the camera answers nothing any more. */
extern bool hung;
/* Reads what is there and obeys whole lines; false at the end of the input and after an error. */
bool read_commands(void);

/* usbip.c: the cable */

/* Plugs the camera into a port, or into the first free one if `port` is negative. */
int plug_in(int port);
/* The socket that the host's messages come from. */
int cable(void);
/* Handles one message; ends the program when the cable was pulled. */
void handle_message(void);
/* Sends what the host waits for and the camera has. */
void send_pending(void);
/* How long until there may be a frame that the host waits for; false if it waits for none, or none is coming. */
bool time_to_send(struct timespec *wait);

#endif
