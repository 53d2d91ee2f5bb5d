#include "engine/state/bodies.hpp"

#include "engine/state/body_shapes.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

Bodies::Bodies() : parts(std::make_shared<const BodyParts>()) {}

}}  // namespace limber::LIMBER_PRECISION
