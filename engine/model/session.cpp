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

[[noreturn]] void refuse(const std::string& what) {
    throw std::invalid_argument("restore: " + what);
}

using AnySaved = std::variant<SavedState<float>, SavedState<double>>;

template <class T>
void load(const AnySaved& any, Runner<T>& runner) {
    const auto* saved = std::get_if<SavedState<T>>(&any);
    const bool single = std::holds_alternative<SavedState<float>>(any);
    if (saved == nullptr) {
        refuse(
            fmt::format("the snapshot is of precision {}, the session of {}; restore it into a "
                        "session of the same precision",
                        single ? "f32" : "f64", single ? "f64" : "f32"));
    }
    if (saved->position > runner.capacity()) {
        refuse(
            fmt::format("the snapshot is of {} tokens, the session has room for {}; make a "
                        "session with max_tokens of at least {}",
                        saved->position, runner.capacity(), saved->position));
    }
    runner.load(*saved);
}

}  // namespace

struct Snapshot::State {
    std::shared_ptr<const std::string> model;  // Model::identity()
    AnySaved saved;
};

std::int64_t Snapshot::position() const {
    return std::visit([](const auto& saved) { return saved.position; }, state_->saved);
}

std::uint64_t Snapshot::bytes() const {
    return std::visit([](const auto& saved) { return saved.bytes(); }, state_->saved);
}

struct Session::State {
    using AnyRunner = std::variant<std::monostate, Runner<float>, Runner<double>>;

    cpu::Pool pool;
    AnyRunner runner;
    Isa isa;
    std::shared_ptr<const std::string> model;  // Model::identity()

    State(const Model& opened, const SessionOptions& options, trace::Tracer& tracer)
        : pool(thread_count(check(options).threads)), isa(options.isa), model(opened.identity()) {
        if (options.precision == Precision::f32) {
            runner.emplace<Runner<float>>(opened, options, pool, tracer);
        } else {
            runner.emplace<Runner<double>>(opened, options, pool, tracer);
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
    return plan_from(position(), rows, wanted);
}

Plan Session::plan_from(std::int64_t position, std::int64_t rows, Rows wanted) const {
    return state_->visit([&](auto& runner) { return runner.plan(position, rows, wanted); });
}

Snapshot Session::snapshot() const {
    return state_->visit([&](auto& runner) {
        return Snapshot(std::make_shared<const Snapshot::State>(
            Snapshot::State{.model = state_->model, .saved = runner.save()}));
    });
}

void Session::restore(const Snapshot& snapshot) {
    const Snapshot::State& from = *snapshot.state_;
    if (from.model != state_->model) {
        refuse(
            fmt::format("the snapshot is of the model opened from {}, the session of another "
                        "one, opened from {}; restore it into a session of the same Model",
                        *from.model, *state_->model));
    }
    state_->visit([&](auto& runner) { load(from.saved, runner); });
}

void Session::observe(ResidualTap tap) {
    state_->visit([&](auto& runner) { runner.observe(std::move(tap)); });
}

const Counters& Session::counters() const {
    return *state_->visit([](auto& runner) { return &runner.counters(); });
}

std::uint64_t Session::scratch_used_bytes() const {
    return state_->visit([](auto& runner) { return runner.scratch_used_bytes(); });
}

std::uint64_t Session::thread_scratch_used_bytes() const {
    return state_->visit([](auto& runner) { return runner.thread_scratch_used_bytes(); });
}

int Session::threads() const {
    return state_->pool.threads();
}

std::string_view Session::isa() const {
    return cpu::chosen_set(set_of(state_->isa));
}

}  // namespace engine::model
