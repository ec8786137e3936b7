// SPDX-License-Identifier: Apache-2.0
// A session: the forward pass in the precision that was asked for.
#include "engine/model/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <variant>

#include "engine/model/runner.h"

namespace engine::model {

namespace {

int thread_count(int wanted) {
    if (wanted < 0 || wanted > 1024) {
        throw std::invalid_argument(fmt::format("threads is {}; accepted: 0 to 1024", wanted));
    }
    if (wanted > 0) return wanted;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

const SessionOptions& check(const SessionOptions& options) {
    if (options.max_tokens < 1) {
        throw std::invalid_argument(
            fmt::format("max_tokens is {}; accepted: at least 1", options.max_tokens));
    }
    return options;
}

}  // namespace

struct Session::State {
    using AnyRunner = std::variant<std::monostate, Runner<float>, Runner<double>>;

    cpu::Pool pool;
    AnyRunner runner;
    Isa isa;

    State(const Model& model, const SessionOptions& options, trace::Tracer& tracer)
        : pool(thread_count(check(options).threads)), isa(options.isa) {
        if (options.precision == Precision::f32) {
            runner.emplace<Runner<float>>(model, options, pool, tracer);
        } else {
            runner.emplace<Runner<double>>(model, options, pool, tracer);
        }
    }

    // Calls body with the runner there is.
    template <class Body>
    auto visit(const Body& body) {
        if (auto* single = std::get_if<Runner<float>>(&runner)) return body(*single);
        return body(std::get<Runner<double>>(runner));
    }
};

Session::Session(const Model& model, const SessionOptions& options, trace::Tracer& tracer)
    : state_(std::make_unique<State>(model, options, tracer)) {}

Session::~Session() = default;

void Session::reset() {
    state_->visit([](auto& runner) { runner.reset(); });
}

std::int64_t Session::position() const {
    return state_->visit([](auto& runner) { return runner.position(); });
}

void Session::forward(std::span<const std::int32_t> tokens, Rows wanted, const LogitsSink& sink) {
    state_->visit([&](auto& runner) { runner.forward(tokens, wanted, sink); });
}

Plan Session::plan(std::int64_t rows, Rows wanted) const {
    return state_->visit([&](auto& runner) { return runner.plan(rows, wanted); });
}

const Counters& Session::counters() const {
    return *state_->visit([](auto& runner) { return &runner.counters(); });
}

std::uint64_t Session::scratch_used_bytes() const {
    return state_->visit([](auto& runner) { return runner.scratch_used_bytes(); });
}

int Session::threads() const {
    return state_->pool.threads();
}

std::string_view Session::isa() const {
    return cpu::chosen_set(set_of(state_->isa));
}

}  // namespace engine::model
