// libcurl, which is looked for when it is first wanted: it brings some thirty libraries along, and most programs make
// no request.
//
// Its functions are defined here, under their own names, and call what `pip_load_curl` has found. Before that, or where
// it found nothing, they must not be called. Swift calls no functions with a variable number of arguments: those that
// are needed are here by the type of their argument.
#ifndef PIP_CURL_H
#define PIP_CURL_H

#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

/// Loads the library, once in a process, and finds its functions. On any thread.
///
/// Returns null when it is there, else why it is not, as the dynamic linker says it.
const char *pip_load_curl(void);

CURLcode pip_curl_set_number(CURL *handle, CURLoption option, long value);
CURLcode pip_curl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode pip_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode pip_curl_set_context(CURL *handle, CURLoption option, void *value);
CURLcode pip_curl_set_writer(
    CURL *handle, CURLoption option, size_t (*function)(char *, size_t, size_t, void *));
CURLcode pip_curl_set_progress(
    CURL *handle, int (*function)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t));
long pip_curl_status(CURL *handle);

/// Where it ended after redirects; belongs to the handle.
const char *pip_curl_address(CURL *handle);

/// A part of an address, to be freed by `curl_free`.
CURLUcode pip_curl_url_part(CURLU *url, CURLUPart part, char **text);

/// Follows redirects with the same method, to HTTP over TLS only where `secure` is true, to HTTP of both kinds else.
void pip_curl_follow(CURL *handle, int secure);

#endif
