#include "CCurl.h"
#include "../Loading.h"

// The functions to load with `dlsym`: F(result, name, parameters, arguments).
#define FUNCTIONS(F) \
    F(CURLcode, curl_global_init, (long flags), (flags)) \
    F(CURL *, curl_easy_init, (void), ()) \
    F(CURLcode, curl_easy_perform, (CURL *curl), (curl)) \
    F(void, curl_easy_cleanup, (CURL *curl), (curl)) \
    F(const char *, curl_easy_strerror, (CURLcode code), (code)) \
    F(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text)) \
    F(void, curl_slist_free_all, (struct curl_slist *list), (list)) \
    F(CURLU *, curl_url, (void), ()) \
    F(void, curl_url_cleanup, (CURLU *handle), (handle)) \
    F(CURLUcode, curl_url_set, (CURLU *handle, CURLUPart what, const char *part, unsigned int flags), \
        (handle, what, part, flags)) \
    F(void, curl_free, (void *memory), (memory))
// Further functions, with variadic arguments or with arguments that differ by version. Only this file calls them.
#define OTHER_FUNCTIONS(F) \
    F(CURLcode, curl_easy_setopt, , ) \
    F(CURLcode, curl_easy_getinfo, , ) \
    F(CURLUcode, curl_url_get, , )

static struct {
    FUNCTIONS(POINTER)
    OTHER_FUNCTIONS(POINTER)
} functions;

FUNCTIONS(FORWARD)

LOADER(pip_load_curl, OPEN("libcurl.so.4") FUNCTIONS(FIND) OTHER_FUNCTIONS(FIND))

#define SET(...) functions.curl_easy_setopt(handle, __VA_ARGS__)

CURLcode pip_curl_set_number(CURL *handle, CURLoption option, long value) { return SET(option, value); }

CURLcode pip_curl_set_text(CURL *handle, CURLoption option, const char *value) { return SET(option, value); }

CURLcode pip_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) { return SET(option, value); }

CURLcode pip_curl_set_context(CURL *handle, CURLoption option, void *value) { return SET(option, value); }

CURLcode pip_curl_set_writer(
    CURL *handle, CURLoption option, size_t (*function)(char *, size_t, size_t, void *))
{
    return SET(option, function);
}

CURLcode pip_curl_set_progress(
    CURL *handle, int (*function)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t))
{
    return SET(CURLOPT_XFERINFOFUNCTION, function);
}

long pip_curl_status(CURL *handle)
{
    long status = 0;
    functions.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

const char *pip_curl_address(CURL *handle)
{
    const char *address = NULL;
    functions.curl_easy_getinfo(handle, CURLINFO_EFFECTIVE_URL, &address);
    return address;
}

CURLUcode pip_curl_url_part(CURLU *url, CURLUPart part, char **text)
{
    return functions.curl_url_get(url, part, text, 0);
}

void pip_curl_follow(CURL *handle, int secure)
{
    SET(CURLOPT_FOLLOWLOCATION, 1L);
    SET(CURLOPT_MAXREDIRS, 5L);
    SET(CURLOPT_POSTREDIR, (long)CURL_REDIR_POST_ALL);
#if LIBCURL_VERSION_NUM >= 0x075500
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
#else
    SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    SET(CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTPS | (secure ? 0 : CURLPROTO_HTTP)));
#endif
}
