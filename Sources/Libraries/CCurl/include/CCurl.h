// libcurl, loaded at run time: libcurl brings some thirty libraries along, and most programs make no request.
//
// This module defines libcurl's functions under their own names; the definitions call the loaded library. They must not
// be called unless `pip_load_curl` has returned null.
//
// Swift cannot call variadic functions: this header declares a function for each argument type needed.
#ifndef PIP_CURL_H
#define PIP_CURL_H

#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

/// Loads libcurl and its functions, at the first call in a process. Thread: any.
///
/// Returns null if libcurl is loaded, otherwise the dynamic linker's message.
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

/// The effective URL after redirects. The handle owns the string.
const char *pip_curl_address(CURL *handle);

/// Stores a part of a URL in `text`, which the caller must free with `curl_free`.
CURLUcode pip_curl_url_part(CURLU *url, CURLUPart part, char **text);

/// Lets requests follow at most five redirects with the same method: to HTTPS, and to HTTP unless `secure` is true.
void pip_curl_follow(CURL *handle, int secure);

#endif
