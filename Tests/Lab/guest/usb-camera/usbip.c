/*
 * The cable is a socket pair. One end is given to the kernel's virtual host
 * controller (vhci_hcd), which speaks the USB/IP protocol on it: we are a
 * USB/IP server without a network.
 *
 * Source: the kernel's Documentation/usb/usbip_protocol.rst.
 */
#include "camera.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONTROLLER "/sys/devices/platform/vhci_hcd.0"

enum { PORTS = 8, HIGH_SPEED = 3 };
enum { CMD_SUBMIT = 1, CMD_UNLINK, RET_SUBMIT, RET_UNLINK };
enum { MAX_PACKETS = 64, MAX_REQUESTS = 32, MAX_CONTROL = 4096 };

/* All words are big-endian; a reply puts other things behind the first five. */
struct message {
	uint32_t command, sequence, device, is_input, endpoint;
	union {
		struct { uint32_t flags, size, start, packets, interval; uint8_t setup[8]; } submit;
		struct { uint32_t sequence, unused[6]; } unlink;
		struct { uint32_t status, size, start, packets, errors, unused[2]; } reply;
	};
};
_Static_assert(sizeof(struct message) == 48, "USB/IP messages have 48 bytes");

struct packet { uint32_t offset, length, actual, status; };

/* Requests for picture data that wait for a frame, the oldest first. */
struct request {
	uint32_t sequence, packets;
	struct packet packet[MAX_PACKETS];
};
static struct queue {
	struct request waiting[MAX_REQUESTS];
	unsigned count;
} queues[FUNCTIONS];

/* The request for a report that waits on the status endpoint. */
static struct { bool waits; uint32_t sequence; } report_request;

static int wire = -1;

int cable(void)
{
	return wire;
}

bool time_to_send(struct timespec *wait)
{
	long least = NEVER;

	for (unsigned function = 0; function < FUNCTIONS; function++) {
		const long left = queues[function].count ? time_to_next_frame(function) : NEVER;

		if (left < least)
			least = left;
	}
	*wait = (struct timespec){ least / SECOND, least % SECOND };
	return least != NEVER;
}

/* Attaches the cable to a port. Returns 0, or the errno of the failure. */
static int attach(int port, int their_end)
{
	char text[64];
	int file = open(CONTROLLER "/attach", O_WRONLY | O_CLOEXEC), size, error = 0;

	if (file < 0)
		return errno;
	size = snprintf(text, sizeof text, "%d %d %d %d", port, their_end, 0x10000 + port + 1, HIGH_SPEED);
	if (write(file, text, size) < 0)
		error = errno;
	close(file);
	return error;
}

int plug_in(int port)
{
	const int first = port < 0 ? 0 : port, last = port < 0 ? PORTS - 1 : port;
	int ends[2], error = EBUSY;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		perror("usb-camera: socketpair");
		exit(1);
	}
	wire = ends[0];
	for (port = first; port <= last && error == EBUSY; port++)
		error = attach(port, ends[1]);
	if (error) {
		fprintf(stderr, "usb-camera: cannot plug into port %d of " CONTROLLER ": %s%s\n", port - 1,
			strerror(error), error == ENOENT ? " (is the module vhci-hcd loaded?)" : "");
		exit(1);
	}
	close(ends[1]);
	return port - 1;
}

static void send_bytes(const void *bytes, size_t size)
{
	for (const uint8_t *next = bytes; size;) {
		const ssize_t sent = send(wire, next, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			exit(0);	/* the cable was pulled */
		next += sent;
		size -= sent;
	}
}

static void receive_bytes(void *bytes, size_t size)
{
	if (size && recv(wire, bytes, size, MSG_WAITALL) != (ssize_t)size)
		exit(0);
}

static struct message reply_to(uint32_t sequence, uint32_t command, int status, uint32_t size)
{
	return (struct message){
		.command = htonl(command), .sequence = htonl(sequence),
		.reply = { .status = htonl(status), .size = htonl(size) },
	};
}

static void answer_control(uint32_t sequence, const struct message *message, uint32_t size)
{
	static uint8_t data[MAX_CONTROL];
	const bool is_input = message->submit.setup[0] & 0x80;
	struct message reply;
	int moved;

	if (size > sizeof data) {
		fprintf(stderr, "usb-camera: a control request of %u bytes\n", size);
		exit(1);
	}
	if (!is_input)
		receive_bytes(data, size);
	moved = handle_request(message->submit.setup, data, is_input ? sizeof data : size);
	if (moved > (int)size)
		moved = size;
	reply = reply_to(sequence, RET_SUBMIT, moved < 0 ? -EPIPE : 0, moved < 0 ? 0 : moved);
	send_bytes(&reply, sizeof reply);
	if (is_input && moved > 0)
		send_bytes(data, moved);
}

static void queue_request(struct queue *queue, uint32_t sequence, uint32_t packets)
{
	struct request *request = &queue->waiting[queue->count];

	if (packets == 0 || packets > MAX_PACKETS || queue->count == MAX_REQUESTS) {
		fprintf(stderr, "usb-camera: a request of %u packets, with %u waiting\n", packets, queue->count);
		exit(1);
	}
	receive_bytes(request->packet, packets * sizeof *request->packet);
	request->sequence = sequence;
	request->packets = packets;
	queue->count++;
}

static void forget_request(struct queue *queue, unsigned index)
{
	queue->count--;
	memmove(&queue->waiting[index], &queue->waiting[index + 1],
		(queue->count - index) * sizeof *queue->waiting);
}

/* Forgets the request with this sequence number. Returns whether there was one. */
static bool take_back(struct queue *queue, uint32_t victim)
{
	for (unsigned i = 0; i < queue->count; i++)
		if (queue->waiting[i].sequence == victim) {
			forget_request(queue, i);
			return true;
		}
	return false;
}

static void unlink_request(uint32_t sequence, uint32_t victim)
{
	bool found = report_request.waits && report_request.sequence == victim;
	struct message reply;

	if (found)
		report_request.waits = false;
	for (unsigned function = 0; function < FUNCTIONS && !found; function++)
		found = take_back(&queues[function], victim);
	reply = reply_to(sequence, RET_UNLINK, found ? -ECONNRESET : 0, 0);
	send_bytes(&reply, sizeof reply);
}

void handle_message(void)
{
	struct message message;
	uint32_t sequence, endpoint;

	receive_bytes(&message, sizeof message);
	sequence = ntohl(message.sequence);
	endpoint = ntohl(message.endpoint);
	if (ntohl(message.command) == CMD_UNLINK)
		unlink_request(sequence, ntohl(message.unlink.sequence));
	else if (endpoint == 0)
		answer_control(sequence, &message, ntohl(message.submit.size));
	else if (endpoint == STATUS_ENDPOINT)
		report_request.waits = true, report_request.sequence = sequence;
	else
		queue_request(&queues[endpoint - VIDEO_ENDPOINT], sequence, ntohl(message.submit.packets));
}

static void send_report(void)
{
	uint8_t report[REPORT_SIZE];
	size_t size;
	struct message reply;

	/* What changes while nobody asks is told when somebody does. */
	if (!report_request.waits || !(size = next_report(report)))
		return;
	report_request.waits = false;
	reply = reply_to(report_request.sequence, RET_SUBMIT, 0, size);
	send_bytes(&reply, sizeof reply);
	send_bytes(report, size);
}

/* Fills the packets of a function's oldest request. */
static void answer_request(unsigned function)
{
	static uint8_t answer[sizeof(struct message) + MAX_PACKETS * (MAX_PACKET_SIZE + sizeof(struct packet))];
	struct request *request = &queues[function].waiting[0];
	uint8_t *end = answer + sizeof(struct message);
	struct message reply;

	for (uint32_t i = 0; i < request->packets; i++) {
		const uint32_t length = ntohl(request->packet[i].length);
		const size_t size = fill_packet(function, end, length < MAX_PACKET_SIZE ? length : MAX_PACKET_SIZE);

		request->packet[i].actual = htonl(size);
		request->packet[i].status = 0;
		end += size;
	}
	reply = reply_to(request->sequence, RET_SUBMIT, 0, end - answer - sizeof reply);
	reply.reply.packets = htonl(request->packets);
	memcpy(answer, &reply, sizeof reply);
	memcpy(end, request->packet, request->packets * sizeof *request->packet);
	end += request->packets * sizeof *request->packet;
	send_bytes(answer, end - answer);
	forget_request(&queues[function], 0);
}

void send_pending(void)
{
	send_report();
	for (unsigned function = 0; function < FUNCTIONS; function++)
		while (queues[function].count && frame_ready(function))
			answer_request(function);
}
