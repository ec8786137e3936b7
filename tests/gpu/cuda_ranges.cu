// SPDX-License-Identifier: Apache-2.0
// A small CUDA program with NVTX ranges, for the question "does the probe leave a CUDA program
// alone, and see its ranges". Prints one line: what it launched, what it computed, how long it
// took.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <nvtx3/nvToolsExt.h>

namespace cuda_ranges {

constexpr int n = 1 << 20;
constexpr int steps = 50;
constexpr int launches_per_step = 4;

void check(cudaError_t code, const char* call) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "cuda_ranges: %s: %s\n", call, cudaGetErrorString(code));
    std::exit(1);
}

__global__ void scale_add_kernel(float* y, const float* x, float a, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) y[i] = a * x[i] + y[i];
}

long long now_ns() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

void step(float* y, const float* x) {
    nvtxRangePushA("step");
    for (int i = 0; i < launches_per_step; ++i) {
        nvtxRangePushA("scale_add");
        scale_add_kernel<<<n / 256, 256>>>(y, x, 0.5f, n);
        check(cudaGetLastError(), "scale_add_kernel");
        nvtxRangePop();
    }
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    nvtxRangePop();
}

}  // namespace cuda_ranges

int main() {
    using namespace cuda_ranges;
    float *x = nullptr, *y = nullptr;
    check(cudaMalloc(&x, n * sizeof(float)), "cudaMalloc");
    check(cudaMalloc(&y, n * sizeof(float)), "cudaMalloc");
    std::vector<float> host(n, 1.0f);
    check(cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemset(y, 0, n * sizeof(float)), "cudaMemset");
    step(y, x);  // loads the module, outside the timed part
    const long long begin = now_ns();
    nvtxRangePushA("work");
    for (int i = 1; i < steps; ++i) step(y, x);
    nvtxRangePop();
    const long long wall_ns = now_ns() - begin;
    check(cudaMemcpy(host.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    const float expected = 0.5f * steps * launches_per_step;
    std::printf("{\"launches\":%d,\"ranges\":%d,\"value\":%g,\"expected\":%g,\"wall_us\":%.1f}\n",
                steps * launches_per_step, steps * (1 + launches_per_step) + 1,
                static_cast<double>(host[n - 1]), static_cast<double>(expected),
                static_cast<double>(wall_ns) / 1e3);
    check(cudaFree(x), "cudaFree");
    check(cudaFree(y), "cudaFree");
    return host[n - 1] == expected ? 0 : 1;
}
