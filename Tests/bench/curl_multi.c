/* Posts one body to addresses in turn with libcurl's multi interface, as many at once as the second word says.
 *
 * Usage: curl_multi COUNT AT_ONCE BODY FIELDS URLS
 * BODY, FIELDS and URLS are files: what is posted, a header field on each line, an address on each line.
 * Prints the seconds and how many posts were not answered with 2xx.
 */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static size_t ignore(char *data, size_t size, size_t count, void *context) {
    (void)data;
    (void)context;
    return size * count;
}

static char *contents(const char *path, long *length) {
    FILE *file = fopen(path, "rb");
    if (!file) exit(2);
    fseek(file, 0, SEEK_END);
    *length = ftell(file);
    rewind(file);
    char *text = calloc(1, *length + 1);
    if (fread(text, 1, *length, file) != (size_t)*length) exit(2);
    fclose(file);
    return text;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **words) {
    if (count != 6) return 2;
    long total = atol(words[1]), at_once = atol(words[2]), length, ignored, lines = 0;
    char *body = contents(words[3], &length);
    struct curl_slist *fields = NULL;
    for (char *line = strtok(contents(words[4], &ignored), "\n"); line; line = strtok(NULL, "\n"))
        fields = curl_slist_append(fields, line);
    static char *urls[10000];
    for (char *line = strtok(contents(words[5], &ignored), "\n"); line && lines < 10000; line = strtok(NULL, "\n"))
        urls[lines++] = line;
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *multi = curl_multi_init();
    long begun = 0, ended = 0, failed = 0;
    int running = 0;
    double start = now();
    for (long each = 0; each < at_once && begun < total; each++) {
        CURL *one = curl_easy_init();
        curl_easy_setopt(one, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(one, CURLOPT_POSTFIELDSIZE, length);
        curl_easy_setopt(one, CURLOPT_HTTPHEADER, fields);
        curl_easy_setopt(one, CURLOPT_WRITEFUNCTION, ignore);
        curl_easy_setopt(one, CURLOPT_URL, urls[begun++ % lines]);
        curl_multi_add_handle(multi, one);
    }
    while (ended < total) {
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        int left;
        while ((message = curl_multi_info_read(multi, &left))) {
            CURL *one = message->easy_handle;
            long status = 0;
            curl_easy_getinfo(one, CURLINFO_RESPONSE_CODE, &status);
            if (message->data.result != CURLE_OK || status / 100 != 2) failed++;
            ended++;
            curl_multi_remove_handle(multi, one);
            if (begun < total) {
                curl_easy_setopt(one, CURLOPT_URL, urls[begun++ % lines]);
                curl_multi_add_handle(multi, one);
            } else {
                curl_easy_cleanup(one);
            }
        }
        if (ended < total) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    printf("%f %ld\n", now() - start, failed);
    return 0;
}
