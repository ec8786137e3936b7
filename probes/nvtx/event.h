// SPDX-License-Identifier: Apache-2.0
// From NVTX's event attributes and payloads to an Event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "probes/nvtx/nvtx_headers.h"
#include "probes/nvtx/ranges.h"
#include "probes/nvtx/registry.h"

namespace probes::nvtx {

// UTF-8 text of a wide string, cut to the limit of a name.
class NarrowText {
  public:
    explicit NarrowText(const wchar_t* wide);

    std::string_view view() const { return {text_, bytes_}; }

  private:
    char text_[capture::text_limit_bytes];
    std::size_t bytes_ = 0;
};

// Registers something, unless the probe has stopped or there is no memory.
template <typename Action>
auto or_null(Action action) noexcept -> decltype(action()) {
    if (visits_are_stopped()) {
        return {};
    }
    try {
        return action();
    } catch (...) {
        return {};
    }
}

// Handles are pointers to Domain; NULL is the default domain.
const Domain& domain_of(nvtxDomainHandle_t handle);

// Keeps the first payload that can be kept and counts the others.
void take_payloads(const Domain& domain,
                   const nvtxPayloadData_t* payloads,
                   std::size_t count,
                   Event& event);

// A plain number.
void take_value(const nvtxEventAttributes_t& attributes, Event& event);

// The payload of the attributes, of whichever type.
inline void take_payload(const Domain& domain,
                         const nvtxEventAttributes_t& attributes,
                         Event& event) {
    if (attributes.payloadType == NVTX_PAYLOAD_TYPE_EXT) {
        take_payloads(domain,
                      reinterpret_cast<const nvtxPayloadData_t*>(attributes.payload.ullValue),
                      static_cast<std::size_t>(attributes.reserved0), event);
    } else if (attributes.payloadType != NVTX_PAYLOAD_UNKNOWN) {
        take_value(attributes, event);
    }
}

// Calls `use(event)`. The event's texts and payload live until it returns. Respects the size the
// program's NVTX headers gave the attributes.
template <typename Use>
auto with_event(const Domain& domain, const nvtxEventAttributes_t* attributes, Use use) {
    nvtxEventAttributes_t copy;
    if (attributes == nullptr || attributes->size < sizeof(copy)) {
        std::memset(&copy, 0, sizeof(copy));
        if (attributes != nullptr) {
            std::memcpy(&copy, attributes, attributes->size);
        }
        attributes = &copy;
    }
    Event event;
    event.category = attributes->category;
    take_payload(domain, *attributes, event);
    switch (attributes->messageType) {
        case NVTX_MESSAGE_TYPE_REGISTERED:
            event.name = reinterpret_cast<const Text*>(attributes->message.registered);
            break;
        case NVTX_MESSAGE_TYPE_ASCII:
            if (attributes->message.ascii != nullptr) {
                event.plain_name = attributes->message.ascii;
            }
            break;
        case NVTX_MESSAGE_TYPE_UNICODE: {
            const NarrowText narrow(attributes->message.unicode);
            event.plain_name = narrow.view();
            return use(event);
        }
        default:
            break;
    }
    return use(event);
}

}  // namespace probes::nvtx
