// SPDX-License-Identifier: Apache-2.0
// Opens and closes ranges, and lets the planted faults strike at their paths.
#include "engine/trace/tracer.h"

#include <unistd.h>

#include <utility>
#include <vector>

#include "engine/trace/clock.h"
#include "engine/trace/domain.h"
#include "engine/trace/faults.h"

namespace engine::trace {

Label::Label(std::string text) : text_(std::move(text)), handle_(register_string(text_.c_str())) {}

struct Tracer::State {
    FaultTable faults;
    bool watching = false;  // some fault is bound to a path: only then is the path kept

    std::string path;                  // of the innermost open range
    std::vector<std::size_t> lengths;  // of the paths around it, to go back to

    // Of the open op. An op has no children, so one is enough.
    const Strike* strike = nullptr;
    const Label* label = nullptr;
    std::string_view kernel;
    ops::Role role{};
    std::int64_t begin_ns = 0;

    void enter(const Label& name) {
        lengths.push_back(path.size());
        if (!path.empty()) {
            path += '/';
        }
        path += name.text();
        strike = &faults.strike(path);
    }

    void leave() {
        path.resize(lengths.back());
        lengths.pop_back();
    }

    void exit_or_hang() const {
        if (strike->exits) {
            _exit(1);
        }
        while (strike->hangs) {
            pause();
        }
    }

    // Spends the planted share of the op's own time, inside the op's range.
    void delay() const {
        const auto own_ns = now_ns() - begin_ns;
        const auto extra_ns = static_cast<double>(own_ns) * strike->delay_percent / 100;
        const auto end_ns = begin_ns + own_ns + static_cast<std::int64_t>(extra_ns);
        while (now_ns() < end_ns) {
        }
    }
};

Tracer::Tracer() : Tracer(FaultTable()) {}

Tracer::Tracer(FaultTable faults) : state_(std::make_unique<State>()) {
    state_->faults = std::move(faults);
    state_->watching = state_->faults.watches_paths();
}

Tracer::~Tracer() = default;

FaultTable& Tracer::faults() {
    return state_->faults;
}

std::int64_t Tracer::open_phase(const Label& name, const PhaseInfo& info) {
    if (state_->watching) {
        state_->enter(name);
    }
    push_phase(name, info);
    const auto begin_ns = now_ns();
    if (state_->watching) {
        state_->exit_or_hang();
    }
    return begin_ns;
}

std::int64_t Tracer::close_phase() {
    const auto end_ns = now_ns();
    close();
    return end_ns;
}

void Tracer::open(const Label& name) {
    push_range(name);
    if (state_->watching) {
        state_->enter(name);
        state_->exit_or_hang();
    }
}

void Tracer::close() {
    pop_range();
    if (state_->watching) {
        state_->leave();
    }
}

void Tracer::open_op(const Label& label,
                     const ops::Declaration& declaration,
                     ops::Role role,
                     const ops::Work& work) {
    ++ops_;
    if (!state_->watching) {
        push_op(label, declaration.cpu_kernel, role, work);
        return;
    }
    state_->enter(label);
    push_op(label, declaration.cpu_kernel, role, work);
    state_->exit_or_hang();
    state_->label = &label;
    state_->kernel = declaration.cpu_kernel;
    state_->role = role;
    state_->begin_ns = now_ns();
}

void Tracer::close_op() {
    if (!state_->watching) {
        pop_range();
        return;
    }
    if (state_->strike->delay_percent > 0) {
        state_->delay();
    }
    pop_range();
    for (int i = 0; i < state_->strike->extra_launches; ++i) {
        push_op(*state_->label, state_->kernel, state_->role, {});
        pop_range();
        ++ops_;
    }
    state_->leave();
}

}  // namespace engine::trace
