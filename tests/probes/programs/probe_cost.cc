// SPDX-License-Identifier: Apache-2.0
// Prints what the probe costs per range: no tool, with a payload, without, beside two bare clock
// readings.
//
//   probe_cost [PROBE]     PROBE: default ../lib/libtare-probe.so beside this program
//
// Whether a process is traced is decided by its environment, so the program runs itself again for
// each measurement. The kinds take turns, round by round: the machine's moods hit all alike.
#include <fcntl.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

namespace {

constexpr int rounds = 15;
constexpr int ranges = 4000;  // per measurement; within one ring, as between two drains
constexpr int batches = 8;    // the fastest counts: what the ranges cost when nobody interrupts

struct Work {
    double bytes_read;
    double bytes_written;
    double flops;
    std::int64_t rows;
    std::int64_t context;
};

static_assert(sizeof(Work) == 40);

std::int64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

std::uint64_t register_work(nvtxDomainHandle_t domain) {
    const auto field = [](const char* name, std::uint64_t type) {
        nvtxPayloadSchemaEntry_t entry{};
        entry.name = name;
        entry.type = type;
        return entry;
    };
    const nvtxPayloadSchemaEntry_t entries[] = {
        field("bytes_read", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE),
        field("bytes_written", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE),
        field("flops", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE),
        field("rows", NVTX_PAYLOAD_ENTRY_TYPE_INT64),
        field("context", NVTX_PAYLOAD_ENTRY_TYPE_INT64),
    };
    nvtxPayloadSchemaAttr_t attributes{};
    attributes.fieldMask =
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    attributes.name = "work";
    attributes.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    attributes.entries = entries;
    attributes.numEntries = std::size(entries);
    attributes.payloadStaticSize = sizeof(Work);
    return nvtxPayloadSchemaRegister(domain, &attributes);
}

// Nanoseconds per call of `body`, in the fastest batch.
template <typename Body>
double fastest_ns(Body body) {
    double best = 1e18;
    for (int batch = 0; batch <= batches; ++batch) {
        const std::int64_t begin = now_ns();
        for (int i = 0; i < ranges; ++i) {
            body();
        }
        const double per_call = static_cast<double>(now_ns() - begin) / ranges;
        best = batch == 0 ? best : std::min(best, per_call);  // the first one warms up
        ::usleep(300'000 / batches);                          // the probe's writer catches up
    }
    return best;
}

double measure_ranges(bool has_payload) {
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("cost");
    const std::uint64_t schema = register_work(domain);
    const Work work{1, 2, 3, 4, 5};
    const nvtxPayloadData_t payload{schema, sizeof(work), &work};
    nvtxEventAttributes_t event{};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.category = 1;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterStringA(domain, "experts.up");
    if (has_payload) {
        event.payloadType = NVTX_PAYLOAD_TYPE_EXT;
        event.reserved0 = 1;
        event.payload.ullValue = reinterpret_cast<std::uint64_t>(&payload);
    }
    return fastest_ns([&] {
        nvtxDomainRangePushEx(domain, &event);
        nvtxDomainRangePop(domain);
    });
}

double measure_clock() {
    volatile std::int64_t sink = 0;
    return fastest_ns([&] {
        sink = now_ns();
        sink = now_ns();
    });
}

struct Kind {
    const char* name;
    const char* label;
    bool is_traced;
};

constexpr Kind kinds[] = {
    {"clock", "two clock readings", false},
    {"none", "push+pop, no tool", false},
    {"plain", "push+pop, traced", true},
    {"payload", "push+pop, traced, 40-byte payload", true},
};

int run_one(const std::string& name) {
    const double ns = name == "clock" ? measure_clock() : measure_ranges(name == "payload");
    std::printf("%.3f\n", ns);
    return 0;
}

// Runs this program for one measurement, in a process of its own.
double run_child(const Kind& kind, const std::string& probe, const std::string& folder) {
    int ends[2];
    if (::pipe(ends) != 0) {
        return -1;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::unsetenv("NVTX_INJECTION64_PATH");
        if (kind.is_traced) {
            ::setenv("NVTX_INJECTION64_PATH", probe.c_str(), 1);
            ::setenv("TARE_PROBE_OUT", folder.c_str(), 1);
        }
        ::execl("/proc/self/exe", "probe_cost", "--one", kind.name, nullptr);
        ::_exit(127);
    }
    ::close(ends[1]);
    char text[64] = {};
    const ssize_t bytes = ::read(ends[0], text, sizeof(text) - 1);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return bytes > 0 && status == 0 ? std::atof(text) : -1;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

int run_all(const std::string& probe) {
    std::string folder = "/tmp/probe-cost-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr || ::access(probe.c_str(), R_OK) != 0) {
        std::fprintf(stderr, "probe_cost: cannot read the probe %s or write /tmp\n", probe.c_str());
        return 2;
    }
    std::vector<double> samples[std::size(kinds)];
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t k = 0; k < std::size(kinds); ++k) {
            samples[k].push_back(run_child(kinds[k], probe, folder));
        }
    }
    std::filesystem::remove_all(folder);
    const double clock_ns = median(samples[0]);
    std::printf("%-36s %8s %8s %8s %10s %12s\n", "", "median", "min", "max", "x clocks",
                "over clocks");
    for (std::size_t k = 0; k < std::size(kinds); ++k) {
        const auto [least, most] = std::minmax_element(samples[k].begin(), samples[k].end());
        const double middle = median(samples[k]);
        std::printf("%-36s %8.1f %8.1f %8.1f %10.2f %+9.1f ns\n", kinds[k].label, middle, *least,
                    *most, middle / clock_ns, middle - clock_ns);
        if (*least < 0) {
            std::fprintf(stderr, "probe_cost: a measurement of \"%s\" failed\n", kinds[k].name);
            return 4;
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--one") == 0) {
        return run_one(argv[2]);
    }
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe");
    const std::filesystem::path built = here.parent_path() / "../lib/libtare-probe.so";
    return run_all(argc > 1 ? argv[1] : built.string());
}
