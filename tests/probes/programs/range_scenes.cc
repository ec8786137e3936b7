// SPDX-License-Identifier: Apache-2.0
// Names, domains, threads, start/end ranges, balance.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/probes/programs/scenes.h"

namespace scenes {

nvtxEventAttributes_t named(const char* name) {
    nvtxEventAttributes_t event{};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = name;
    return event;
}

void blink(const char* name) {
    nvtxRangePushA(name);
    nvtxRangePop();
}

namespace {

// Every form of a name, nested in "outer" of domain "own".
int names() {
    const nvtxDomainHandle_t own = nvtxDomainCreateA("own");
    nvtxDomainNameCategoryA(own, 7, "expert GEMM");
    nvtxEventAttributes_t event = named("outer");
    event.category = 7;
    nvtxDomainRangePushEx(own, &event);

    char reused[] = "ascii";
    event = named(reused);
    nvtxDomainRangePushEx(own, &event);
    std::strcpy(reused, "XXXXX");  // the caller may free its name at once
    nvtxDomainRangePop(own);

    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterStringA(own, "registered");
    nvtxDomainRangePushEx(own, &event);
    nvtxDomainRangePop(own);
    event.message.registered = nvtxDomainRegisterStringW(own, L"registered wide");
    nvtxDomainRangePushEx(own, &event);
    nvtxDomainRangePop(own);

    event.messageType = NVTX_MESSAGE_TYPE_UNICODE;
    event.message.unicode = L"größe €";
    nvtxDomainRangePushEx(own, &event);
    nvtxDomainRangePop(own);

    nvtxDomainRangePop(own);
    blink("plain");
    nvtxRangePushW(L"plain wide");
    nvtxRangePop();
    nvtxRangePushEx(nullptr);
    nvtxRangePop();
    nvtxNameOsThreadA(static_cast<std::uint32_t>(::syscall(SYS_gettid)), "the main one");
    return 0;
}

// Two domains on one thread do not see each other; marks hang below the open range.
int domains() {
    const nvtxDomainHandle_t a = nvtxDomainCreateA("a");
    const nvtxDomainHandle_t b = nvtxDomainCreateA("b");
    nvtxEventAttributes_t event = named("a1");
    nvtxDomainRangePushEx(a, &event);
    event = named("b1");
    nvtxDomainRangePushEx(b, &event);
    event = named("a2");
    nvtxDomainRangePushEx(a, &event);
    event = named("moment");
    nvtxDomainMarkEx(a, &event);
    nvtxMarkA("alone");
    nvtxMarkW(L"alone wide");
    nvtxDomainRangePop(a);
    nvtxDomainRangePop(a);
    nvtxDomainRangePop(b);
    nvtxDomainDestroy(b);
    return 0;
}

// Levels as NVTX promises them; a pop too many is negative.
int levels() {
    nvtxRangePushA("warm up");
    nvtxRangePop();
    const bool right = nvtxRangePushA("0") == 0 && nvtxRangePushA("1") == 1 &&
                       nvtxRangePop() == 1 && nvtxRangePop() == 0 && nvtxRangePop() < 0 &&
                       nvtxRangePop() < 0 && nvtxRangePushA("again") == 0 && nvtxRangePop() == 0;
    return right ? 0 : 1;
}

int deep() {
    for (int i = 0; i < 1100; ++i) {
        nvtxRangePushA("down");
    }
    for (int i = 1099; i >= 0; --i) {
        if (nvtxRangePop() != i) {
            return 1;
        }
    }
    return nvtxRangePop() < 0 ? 0 : 1;
}

int start_end() {
    nvtxRangeId_t crossing = 0;
    std::thread([&] { crossing = nvtxRangeStartA("crossing"); }).join();
    const nvtxRangeId_t other = nvtxRangeStartW(L"other");
    std::thread([&] { nvtxRangeEnd(crossing); }).join();
    nvtxRangeEnd(other);
    nvtxRangeEnd(other);  // one end too many
    nvtxEventAttributes_t event = named("of a domain");
    const nvtxDomainHandle_t own = nvtxDomainCreateA("own");
    nvtxDomainRangeEnd(own, nvtxDomainRangeStartEx(own, &event));
    nvtxRangeEnd(nvtxRangeStartEx(&event));
    return crossing != 0 && other != 0 && crossing != other ? 0 : 1;
}

int threads() {
    std::vector<std::thread> all;
    for (int t = 0; t < 4; ++t) {
        all.emplace_back([] {
            for (int i = 0; i < 1000; ++i) {
                nvtxRangePushA("step");
                blink("norm");
                nvtxRangePop();
            }
        });
    }
    for (std::thread& thread : all) {
        thread.join();
    }
    return 0;
}

long resident_kib() {
    long pages = 0;
    std::FILE* statm = std::fopen("/proc/self/statm", "r");
    if (statm == nullptr || std::fscanf(statm, "%*d %ld", &pages) != 1) {
        std::abort();
    }
    std::fclose(statm);
    return pages * 4;
}

// 1,000 threads, a few at a time: the tables of those that ended serve the next ones.
int many_threads() {
    const auto batch = [] {
        std::vector<std::thread> all;
        for (int t = 0; t < 10; ++t) {
            all.emplace_back([] {
                blink("short life");
                nvtxRangePushA("left open");
            });
        }
        for (std::thread& thread : all) {
            thread.join();
        }
        ::usleep(3000);
    };
    for (int i = 0; i < 50; ++i) {
        batch();
    }
    ::usleep(400'000);  // the writer has seen them all end
    const long before = resident_kib();
    for (int i = 0; i < 50; ++i) {
        batch();
    }
    const long grown = resident_kib() - before;
    std::fprintf(stderr, "grown by %ld KiB\n", grown);
    return grown < 16384 ? 0 : 1;
}

using ImageRanges = void (*)(const char*);

ImageRanges load_image(const char* which) {
    char self[4096] = {};
    if (::readlink("/proc/self/exe", self, sizeof(self) - 1) < 0) {
        return nullptr;
    }
    std::string file(self);
    file.resize(file.rfind('/') + 1);
    void* image = ::dlopen((file + which).c_str(), RTLD_NOW | RTLD_LOCAL);
    return image == nullptr ? nullptr
                            : reinterpret_cast<ImageRanges>(::dlsym(image, "image_ranges"));
}

// The program and two shared objects, each with NVTX of its own, in one domain.
int images() {
    const ImageRanges first = load_image("libtraced_image_a.so");
    const ImageRanges second = load_image("libtraced_image_b.so");
    if (first == nullptr || second == nullptr) {
        return 1;
    }
    const nvtxDomainHandle_t shared = nvtxDomainCreateA("shared");
    nvtxEventAttributes_t event = named("whole");
    nvtxDomainRangePushEx(shared, &event);
    first("from a");
    second("from b");
    nvtxDomainRangePop(shared);
    return 0;
}

// The first NVTX call of three images at once.
int concurrent_start() {
    const ImageRanges first = load_image("libtraced_image_a.so");
    const ImageRanges second = load_image("libtraced_image_b.so");
    if (first == nullptr || second == nullptr) {
        return 1;
    }
    std::atomic<int> ready{0};
    const auto together = [&] {
        ++ready;
        while (ready < 3) {
        }
    };
    std::thread a([&] {
        together();
        first("from a");
    });
    std::thread b([&] {
        together();
        second("from b");
    });
    together();
    blink("from main");
    a.join();
    b.join();
    return 0;
}

int flood() {
    for (int i = 0; i < 1'000'000; ++i) {
        blink("drop");
    }
    return 0;
}

// More distinct paths than anybody needs.
int many_names() {
    for (int i = 0; i < 20'000; ++i) {
        blink(("step " + std::to_string(i)).c_str());
    }
    return 0;
}

constexpr NamedScene table[] = {
    {"names", names},
    {"domains", domains},
    {"levels", levels},
    {"deep", deep},
    {"start_end", start_end},
    {"threads", threads},
    {"many_threads", many_threads},
    {"images", images},
    {"concurrent_start", concurrent_start},
    {"flood", flood},
    {"many_names", many_names},
};

}  // namespace

Scene find_range_scene(const char* name) {
    return find_in(table, name);
}

}  // namespace scenes
