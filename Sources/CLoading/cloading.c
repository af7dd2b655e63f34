#include "cloading.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Finds every function; 0, or -1 with the name of the first that is missing. */
static int find(const struct frontdesk_library *kept, void *handle, void **found,
                const char *library, char *fault, size_t room) {
    for (size_t place = 0; place < kept->count; place++) {
        found[place] = dlsym(handle, kept->names[place]);
        if (found[place]) continue;
        snprintf(fault, room, "%s has no %s", library, kept->names[place]);
        return -1;
    }
    return 0;
}

/* One try, under the lock: not every library may begin beside other threads. */
static int load(struct frontdesk_library *kept, const char *library, char *fault, size_t room) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *said = dlerror();
        snprintf(fault, room, "%s cannot be loaded (%s)", library, said ? said : "no reason given");
        return -1;
    }
    void *found[FRONTDESK_LIBRARY_FUNCTIONS];
    int result = find(kept, handle, found, library, fault, room);
    if (!result && !kept->is_loaded) {
        if (!kept->begin || !(result = kept->begin(found, library, fault, room))) {
            memcpy(kept->functions, found, kept->count * sizeof *found);
            kept->is_loaded = 1;
            return 0;
        }
    }
    dlclose(handle);
    return result;
}

int frontdesk_load(struct frontdesk_library *kept, const char *library, char *fault, size_t room) {
    pthread_mutex_lock(&kept->lock);
    int result = load(kept, library, fault, room);
    pthread_mutex_unlock(&kept->lock);
    return result;
}
