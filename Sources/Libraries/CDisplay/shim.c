#define _GNU_SOURCE
#include "CDisplay.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const int kind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

int pip_display_open(const char *path)
{
	int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);

	return descriptor < 0 ? -errno : descriptor;
}

int pip_display_ioctl(int descriptor, unsigned long request, void *argument)
{
	int result;

	do
		result = ioctl(descriptor, request, argument);
	while (result < 0 && errno == EINTR);
	return result < 0 ? -errno : result;
}

int pip_display_memory(size_t length)
{
	int descriptor = memfd_create("pip-display", MFD_CLOEXEC);

	if (descriptor < 0)
		return -errno;
	int error = posix_fallocate(descriptor, 0, (off_t)length);
	if (!error)
		return descriptor;
	close(descriptor);
	return -error;
}

int pip_display_map(int descriptor, size_t length, int64_t offset, void **memory)
{
	void *start = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset);

	if (start == MAP_FAILED)
		return -errno;
	*memory = start;
	return 0;
}

int pip_display_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(path);

	if (length >= sizeof address.sun_path)
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, length);
	if (path[0] == '@')
		address.sun_path[0] = 0;
	int descriptor = socket(AF_UNIX, kind, 0);
	if (descriptor < 0)
		return -errno;
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (path[0] != '@'));
	if (!connect(descriptor, (struct sockaddr *)&address, size))
		return descriptor;
	int error = errno;
	close(descriptor);
	return -error;
}

static int connect_address(const struct addrinfo *address, int milliseconds)
{
	int descriptor = socket(address->ai_family, kind, 0);
	int one = 1, error = 0;
	socklen_t size = sizeof error;

	if (descriptor < 0)
		return -errno;
	setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	if (connect(descriptor, address->ai_addr, address->ai_addrlen)) {
		struct pollfd wait = { descriptor, POLLOUT, 0 };

		error = errno;
		if (error == EINPROGRESS) {
			if (poll(&wait, 1, milliseconds) != 1)
				error = ETIMEDOUT;
			else if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size))
				error = errno;
		}
	}
	if (!error)
		return descriptor;
	close(descriptor);
	return -error;
}

int pip_display_connect_host(const char *host, int port, int milliseconds)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *addresses;
	char service[16];
	int result = -EHOSTUNREACH;

	snprintf(service, sizeof service, "%d", port);
	if (getaddrinfo(host, service, &hints, &addresses))
		return result;
	for (struct addrinfo *address = addresses; address; address = address->ai_next) {
		result = connect_address(address, milliseconds);
		if (result >= 0)
			break;
	}
	freeaddrinfo(addresses);
	return result;
}

int64_t pip_display_send(int descriptor, const void *bytes, size_t count, int passed)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct iovec part = { (void *)bytes, count };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (passed >= 0) {
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof control.bytes;
		struct cmsghdr *header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(header), &passed, sizeof(int));
	}
	ssize_t sent;
	do
		sent = sendmsg(descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : sent;
}

int64_t pip_display_receive(int descriptor, void *bytes, size_t count)
{
	/* The kernel closes descriptors that come along, because this call has no room for them. */
	ssize_t received;

	do
		received = recv(descriptor, bytes, count, MSG_DONTWAIT);
	while (received < 0 && errno == EINTR);
	return received < 0 ? -errno : received;
}
