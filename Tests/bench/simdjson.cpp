// simdjson's DOM parse of each payload: nanoseconds of CPU a parse.
#include <simdjson.h>

#include <cstdio>
#include <ctime>
#include <string>

static double cpu_seconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

// Usage: simdjson FOLDER SECONDS NAME...
int main(int count, char **words) {
    const double budget = std::stod(words[2]);
    simdjson::dom::parser parser;
    for (int place = 3; place < count; place++) {
        const std::string name = words[place];
        const auto text = simdjson::padded_string::load(std::string(words[1]) + "/" + name + ".json").value();
        long done = 0, sum = 0, batch = 1;
        double spent = 0;
        while (spent < budget) {
            const double start = cpu_seconds();
            for (long turn = 0; turn < batch; turn++) {
                simdjson::dom::element root;
                if (parser.parse(text).get(root)) return 1;
                sum += root.is_object();
            }
            spent += cpu_seconds() - start;
            done += batch;
            if (spent < budget / 10) batch *= 2;
        }
        if (sum != done) return 1;
        std::printf("simdjson %s %.1f\n", name.c_str(), spent / done * 1e9);
    }
}
